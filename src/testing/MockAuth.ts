/** A user of a mock server. */
export interface MockPerson {
  /** The name to sign in with, and the `subject` of every credential. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  readonly password: string;
  /** In each answer about the user, and in a JWT. @default no role */
  readonly role?: string;
}

/** A user as the answers of a mock server name it: a person without the password. */
export type MockUser = Omit<MockPerson, 'password'>;

export function toMockUser({ password: _, ...user }: MockPerson): MockUser {
  return user;
}

/** The part of an msw handler's argument that identifies the user. */
export interface IncomingRequest {
  readonly request: Request;
  /** Only the cookie server reads them. */
  readonly cookies?: Readonly<Record<string, string>>;
}

/** The part of a mock auth server that other handlers call. Both servers implement it, so each of them works with any resource. */
export interface MockAuth {
  /** Checks a request. Returns the refusal to answer with (401, or 403 for a failed CSRF check), or `undefined` if the request is allowed. */
  authorize(incoming: IncomingRequest): Response | undefined;
  /** Returns the user whose credential the request carries, or `undefined`. Changes no count. */
  personOf(incoming: IncomingRequest): MockPerson | undefined;
}

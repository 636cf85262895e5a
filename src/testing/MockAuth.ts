/** Somebody that a mock server knows. */
export interface MockPerson {
  /** The name to sign in with, and the `subject` of every credential. */
  readonly id: string;
  /** What is shown on screen. */
  readonly name: string;
  readonly password: string;
  readonly role?: string;
}

/** What a server sees of a request: the two fields of a handler's argument that can carry an identity. */
export interface IncomingRequest {
  readonly request: Request;
  /** Read by the cookie server only. */
  readonly cookies?: Readonly<Record<string, string>>;
}

/** The side of a mock auth server that other handlers ask; both servers have it, so either fits any resource. */
export interface MockAuth {
  /** Nothing when the request may pass, else the refusal to answer with: 401, or 403 for a failed CSRF check. */
  authorize(judged: IncomingRequest): Response | undefined;
  /** The person whose credential the request carries, or nobody; refuses nothing and counts nothing. */
  personOf(judged: IncomingRequest): MockPerson | undefined;
}

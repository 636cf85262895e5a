/**
 * The typed errors of the kit. Each message says what happened and how to mend it; none ever contains a token.
 */

/**
 * The identity changed while the request was under way, so it was not sent, or its answer was thrown away.
 *
 * Its `name` is `AbortError`, the platform's word for a request that was called off: stores and error trackers that
 * know the word leave it alone. Tell it from other aborts by `instanceof`.
 *
 * @see https://dom.spec.whatwg.org/#aborterror
 */
export class IdentityChangedError extends Error {
  override readonly name = 'AbortError';

  constructor(
    message = 'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
  ) {
    super(message);
  }
}

/** The user signed out while the request was under way, and no user is signed in now. */
export class SignedOutError extends IdentityChangedError {
  constructor() {
    super('The person signed out while this request was under way, so its answer was dropped. Sign in, then start it again.');
  }
}

/** The server ended the session: its credentials were refused, and could not be renewed. */
export class SessionExpiredError extends IdentityChangedError {
  constructor() {
    super('The session has expired: the server refused its credentials. Sign in again, then start the request again.');
  }
}

/** Base of the errors that mean “not sent, or not answered”; `status` lets data-client's error boundaries show them. */
export abstract class RequestError extends Error {
  abstract readonly status: number;
}

/** Fresh credentials could not be had now (offline, 5xx, no answer in time). The session goes on; try again later. */
export class RefreshUnavailableError extends RequestError {
  override readonly name = 'RefreshUnavailableError';
  readonly status = 503;

  constructor(cause?: unknown) {
    super('The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.', {
      cause,
    });
  }
}

/**
 * The user is signed out on this page, but the server did not confirm that it ended the session (offline, 5xx, no answer in time).
 *
 * Found in the snapshot's `error` after a `logout()` that failed. Another `logout()` asks the server again.
 */
export class LogoutUnconfirmedError extends RequestError {
  override readonly name = 'LogoutUnconfirmedError';
  readonly status = 503;

  constructor(cause?: unknown) {
    super('You are signed out on this page, but the server has not confirmed it, so the session may go on there. Call logout() again when the server can be reached.', {
      cause,
    });
  }
}

/** A request with credentials was about to go to an origin that the session does not trust; nothing was sent to it. */
export class UntrustedOriginError extends RequestError {
  override readonly name = 'UntrustedOriginError';
  readonly status = 400;

  constructor(origin: string) {
    super(`Credentials are not sent to ${origin}. Add it to the session's \`trustedOrigins\`, or mark the endpoint \`public: true\` to call it without credentials.`);
  }
}

/** The server redirected an auth call, or a request with a credential header or cookies for another origin. Browsers do not say where to, so it was not followed. */
export class RedirectRefusedError extends RequestError {
  override readonly name = 'RedirectRefusedError';
  readonly status = 400;

  constructor(address: string) {
    super(`${address.replace(/[?#].*$/s, '')} redirected, and this request follows no redirect: its credentials would go to an unknown address. Let the endpoint's \`urlPrefix\` and \`path\` name the final address; where no user is signed in, let the server answer 401 instead of redirecting to its login page.`);
  }
}

/** The request must be sent a second time with fresh credentials, but its body is a stream that can be read once only. */
export class UnreplayableBodyError extends RequestError {
  override readonly name = 'UnreplayableBodyError';
  readonly status = 400;

  constructor(cause?: unknown) {
    super('The credentials had expired and the body is a stream, which cannot be sent twice. Start the request again, or send a Blob.', { cause });
  }
}

/** A credential that no request header can carry, or an answer that holds no credential at all. */
export class InvalidCredentialError extends RequestError {
  override readonly name = 'InvalidCredentialError';
  readonly status = 400;
}

function describeParam(value: unknown): string {
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return `[${value.map(describeParam).join(', ')}]`;
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  return value === null ? 'null' : typeof value;
}

/** A path param is missing, or its value cannot be a segment of an address: empty, `.`, `..`, half a surrogate pair. No request was sent. */
export class MissingParamError extends RequestError {
  override readonly name = 'MissingParamError';
  readonly status = 400;

  constructor(method: string, path: string, param: string, value: unknown) {
    super(`${method} ${path} needs a value for \`${param}\`, but got ${describeParam(value)}. Pass { ${param}: … }, or null to wait until it is known.`);
  }
}

/** A hook of the kit found no provider above it. */
export class MissingProviderError extends Error {
  override readonly name = 'MissingProviderError';

  constructor(hook: string) {
    super(`${hook} found no auth provider above it. Put the component below a <TokenAuthProvider>, <CookieAuthProvider> or <ContextTokenProvider>.`);
  }
}

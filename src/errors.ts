/**
 * The typed errors of the kit. Each message says what happened and how to fix it. No message contains a token.
 */

/**
 * The identity changed during the request, so the kit did not send it, or dropped its response.
 *
 * Its `name` is `AbortError`, the platform's name for an aborted request: stores and error trackers ignore errors with this
 * name. Use `instanceof` to distinguish it from other aborts.
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

/** The user signed out during the request, and no user is signed in now. */
export class SignedOutError extends IdentityChangedError {
  constructor(
    message = 'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
  ) {
    super(message);
  }
}

/** The server ended the session: it refused the credentials, and they could not be refreshed. */
export class SessionExpiredError extends IdentityChangedError {
  /** The refusal that ended the session. Undefined: no request got one. */
  declare readonly response?: Response | undefined;

  constructor() {
    super('The session has expired: the server refused its credentials. Sign in again, then start the request again.');
  }
}

/** Base class of errors for requests that failed without a usable answer. data-client's error boundaries need the `status` to show them. */
export abstract class RequestError extends Error {
  abstract readonly status: number;
}

/**
 * The credentials could not be refreshed now (offline, 5xx, no response in time), or a login takes too long. The
 * session continues; try again later.
 */
export class RefreshUnavailableError extends RequestError {
  override readonly name = 'RefreshUnavailableError';
  readonly status = 503;

  constructor(
    cause?: unknown,
    message = 'The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
  ) {
    super(message, { cause });
  }
}

/**
 * The user is signed out on this page, but the server did not confirm that it ended the session (offline, 5xx, no answer in time).
 *
 * The snapshot's `error` contains it after a failed `logout()`. Another `logout()` sends the request again.
 */
export class LogoutUnconfirmedError extends RequestError {
  override readonly name = 'LogoutUnconfirmedError';
  readonly status = 503;

  constructor(cause?: unknown) {
    super(
      'You are signed out on this page, but the server has not confirmed it, so the session may go on there. Call logout() again when the server can be reached.',
      {
        cause,
      },
    );
  }
}

/** The user cancelled a challenge of the server, so the requests that waited for its answer were not sent again. */
export class ChallengeCancelledError extends RequestError {
  override readonly name = 'ChallengeCancelledError';
  readonly status = 403;

  constructor(
    message = 'The server asked for more than a sign-in, and the user cancelled. Send the request again, and answer the challenge.',
  ) {
    super(message);
  }
}

/** The session does not trust the origin of a request with credentials, so the kit did not send the request. */
export class UntrustedOriginError extends RequestError {
  override readonly name = 'UntrustedOriginError';
  readonly status = 400;

  /** @param prefixWithoutSlash The `urlPrefix` of the endpoint, if a path without a slash has become a part of its host. */
  constructor(origin: string, prefixWithoutSlash?: string) {
    super(
      prefixWithoutSlash === undefined
        ? `Credentials are not sent to ${origin}. If its server takes the credentials of this session, add it to the session's \`trustedOrigins\`. If it is another API with a session of its own, put the component below a provider of that session. Or mark the endpoint \`public: true\`, or use plain \`fetch\`, to call it without credentials.`
        : `Credentials are not sent to ${origin}: the urlPrefix ${JSON.stringify(prefixWithoutSlash)} and the path of the endpoint have no slash between them. Let the path begin with one.`,
    );
  }
}

/**
 * The server redirected an auth call, or a request with a credential header or cookies for another origin. Browsers hide the
 * target of a redirect, so the kit did not follow it.
 */
export class RedirectRefusedError extends RequestError {
  override readonly name = 'RedirectRefusedError';
  readonly status = 400;

  constructor(
    address: string,
    remedy = "Let the endpoint's `urlPrefix` and `path` name the final address; where no user is signed in, let the server answer 401 instead of redirecting to its login page.",
  ) {
    super(
      `${address.replace(/[?#].*$/s, '')} redirected, and this request follows no redirect: its credentials would go to an unknown address. ${remedy}`,
    );
  }
}

/**
 * The response names another user than the signed-in one, and no check has found that the user has changed. The kit dropped the response.
 * See the option `verifyResponse` of `createCookieSession`.
 */
export class OtherUserResponseError extends RequestError {
  override readonly name = 'OtherUserResponseError';
  readonly status = 502;

  constructor() {
    super(
      'The response names another user than the one who is signed in, so it was dropped. Look for a cache that stores responses for users: a service worker, a proxy or a CDN.',
    );
  }
}

/** The request needs a replay with new credentials, but its body is a stream, which can be read only once. */
export class UnreplayableBodyError extends RequestError {
  override readonly name = 'UnreplayableBodyError';
  readonly status = 400;

  constructor(cause?: unknown) {
    super(
      'The credentials had expired and the body is a stream, which cannot be sent twice. Start the request again, or send a Blob.',
      { cause },
    );
  }
}

/** The credential contains characters that a request header cannot contain, or the response contains no credential. */
export class InvalidCredentialError extends RequestError {
  override readonly name = 'InvalidCredentialError';
  readonly status = 400;
}

function describeParam(value: unknown): string {
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return `[${value.map(describeParam).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  return value === null || typeof value === 'number' ? String(value) : typeof value;
}

/** A path param is missing, or its value cannot be a segment of a URL: empty, `.`, `..`, half a surrogate pair. No request was sent. */
export class MissingParamError extends RequestError {
  override readonly name = 'MissingParamError';
  readonly status = 400;

  constructor(method: string, path: string, param: string, value: unknown) {
    super(
      `${method} ${path} needs a value for \`${param}\`, but got ${describeParam(value)}. Pass { ${param}: … }, or null to wait until it is known.`,
    );
  }
}

/** A hook of the kit found no provider above it. */
export class MissingProviderError extends Error {
  override readonly name = 'MissingProviderError';

  constructor(hook: string) {
    super(
      `${hook} found no auth provider above it. Put the component below a <TokenAuthProvider>, <CookieAuthProvider> or <ContextTokenProvider>.`,
    );
  }
}

/**
 * The server answered a list with something else, so the rows were not found. The message is for developers: it names some fields of the
 * answer, never their values.
 */
export class NotAListError extends RequestError {
  override readonly name = 'NotAListError';
  readonly status = 502;

  /** @param rows The field of the answer that may hold the rows; undefined if the answer is a list itself. */
  constructor(endpoint: string, path: readonly string[], found: string, rows: string | undefined) {
    const place = path.length > 0 ? ` in \`${path.join('.')}\`` : '';
    const remedy =
      rows === undefined
        ? `Leave out \`rows\`, or let the server answer \`${path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, '[…]')}\`.`
        : `Name the field that holds the rows: resource({ …, rows: '${rows}' }).`;
    super(`${endpoint} expected a list${place}, but the server answered ${found}. ${remedy}`);
  }
}

/** Creates the error for a call by the screen of an ended identity. */
export function screenEndedError(): IdentityChangedError {
  return new IdentityChangedError(
    'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.',
  );
}

/** The error of a sign-in by a session that gets its credential from a component above it. */
export function noLoginError(): TypeError {
  return new TypeError('This session has no login of its own: sign in with the SDK that gives it its token.');
}

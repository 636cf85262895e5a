// What is known of a failure: what went wrong, and what the server says itself about a request that it has refused.
import { systemClock, withTimeout, type Clock } from '../../clock.js';
import { isProcessingError } from '../../dataClient/rest.js';
import {
  ChallengeCancelledError,
  IdentityChangedError,
  LogoutUnconfirmedError,
  NotAListError,
  OtherUserResponseError,
  RedirectRefusedError,
  RefreshUnavailableError,
  RequestError,
} from '../../errors.js';

/** What went wrong, as far as it matters to the user of the app. */
export type FailureKind =
  /** No response: offline, or the server that issues the credentials is down. */
  | 'offline'
  /** 401. */
  | 'signed-out'
  /** 403. */
  | 'forbidden'
  /** 404 and 410. */
  | 'not-found'
  /** 409 and 412. */
  | 'conflict'
  /** 413. */
  | 'too-large'
  /** 400 and 422. */
  | 'invalid'
  /** 429. */
  | 'too-many-requests'
  /** Another status of the server. */
  | 'refused'
  /** 5xx. */
  | 'unavailable'
  /** The response is not what the endpoint's schema or `Content-Type` promised, or a redirect that the kit does not follow. */
  | 'unreadable'
  /** The request was called off: another identity, an abort, or a challenge that the user cancelled. */
  | 'canceled'
  /** A mistake in the code of the app, or in its use of the kit. */
  | 'unexpected'
  /** An error that the app or its SDK has thrown; its message was written for the user. */
  | 'app';

const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
  400: 'invalid',
  401: 'signed-out',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  412: 'conflict',
  413: 'too-large',
  422: 'invalid',
  429: 'too-many-requests',
};

/** The platform throws these for mistakes in code. */
const NATIVE_NAMES = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError', 'EvalError']);

/**
 * Returns what went wrong, for a `failure` label of your own.
 *
 * @example
 * const failure = (error: Error, serverMessage?: string) => serverMessage ?? GERMAN_BY_KIND[failureKind(error)];
 */
export function failureKind(error: Error): FailureKind {
  if (error instanceof IdentityChangedError || error instanceof ChallengeCancelledError) return 'canceled';
  if (error.name === 'AbortError') return 'canceled';
  if (error instanceof RefreshUnavailableError || error instanceof LogoutUnconfirmedError) return 'offline';
  if (error instanceof NotAListError || isProcessingError(error)) return 'unreadable';
  // The page is not broken: a captive portal redirects every request. So do not ask for a reload, which loses what the user has typed.
  if (error instanceof RedirectRefusedError || error instanceof OtherUserResponseError) return 'unreadable';
  if (error instanceof RequestError) return 'unexpected';
  const status = getErrorStatus(error);
  const isNative = NATIVE_NAMES.has(error.name);
  if (status === undefined) return isNative || !error.message ? 'unexpected' : 'app';
  const { response } = error as { response?: Response };
  if (response) return response.ok ? 'unreadable' : kindOfStatus(status);
  // data-client adds a status to the errors of fetch and of `response.json()`, which throws a TypeError when the connection ends in the body.
  if (error.name === 'TypeError') return 'offline';
  if (isNative || (error.name === 'Error' && status === 400)) return 'unreadable';
  return kindOfStatus(status);
}

function kindOfStatus(status: number): FailureKind {
  return KIND_BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'refused');
}

/** The HTTP status of an error; undefined when the error is not about a request. */
export function getErrorStatus(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** The request is known to be refused, so its text waits only this long for the server's own. */
const BODY_TIMEOUT_MS = 2_000;
/** A sentence or two. A longer text is cut. */
const MAX_LENGTH = 300;

/** The JSON of a response, which stays readable. Undefined for a body that is not JSON, and after 2 s. */
export async function readJsonBody(response: Response, clock: Clock = systemClock): Promise<unknown> {
  try {
    return await withTimeout<unknown>(
      clock,
      BODY_TIMEOUT_MS,
      response.clone().json(),
      () => new Error('The body of the refusal took too long.'),
    );
  } catch {
    return undefined;
  }
}

/** Refusals whose text is about credentials, methods and types of content, and written for programs. */
const FOR_PROGRAMS = new Set([401, 405, 406, 411, 415]);

/** The response whose body may say why a request was refused: a 4xx with JSON. Not a 5xx, whose text may be a stack trace. */
export function refusalWithMessage(error: Error): Response | undefined {
  const { response } = error as { response?: Response };
  if (!response || response.status < 400 || response.status >= 500 || FOR_PROGRAMS.has(response.status))
    return undefined;
  return /\bjson\b/i.test(response.headers?.get('Content-Type') ?? '') ? response : undefined;
}

/** Undefined for a code, and for the phrase of a status: "Bad Request". Both are ASCII, so a text with other characters is a sentence. */
function toSentence(error: unknown): unknown {
  return typeof error === 'string' && /\s[a-z]|\P{ASCII}/u.test(error) ? error : undefined;
}

/** The object or list in a text that is JSON, else the value itself: Zod's errors have JSON as their message. */
export function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * The `detail`, `message` or `title`, else the sentence in `error`, in the body of a refusal, as plain text of at most 300 characters. Undefined for a text with
 * markup or JSON: it was not written as a sentence.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3
 */
export function serverMessage(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { detail, message, title, error } = body as Record<string, unknown>;
  const inner = typeof error === 'object' && error !== null && 'message' in error ? error.message : toSentence(error);
  const text = [detail, message, title, inner].find(value => typeof value === 'string' && value.trim() !== '') as
    string | undefined;
  if (text === undefined || parsedText(text) !== text || /<[a-z!/?]/i.test(text)) return undefined;
  const sentence = text.trim().replace(/\s+/g, ' ');
  if (sentence.length <= MAX_LENGTH) return sentence;
  // Not in the middle of a character beyond U+FFFF, such as an emoji.
  return `${sentence.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

import { InvalidCredentialError } from '../errors.js';
import { isObject } from '../isObject.js';
import { A_PAGE, isPage } from '../pageAnswer.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';
import { assertNotResponse } from './refusals.js';
import { subjectText } from './subjectOf.js';
import { tryOrUndefined } from './tryOrUndefined.js';

/** The tokens of one response. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Seconds until the access token expires, as in the responses of OAuth servers. */
  readonly expiresIn?: number | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/**
 * The tokens of one response in OAuth's spelling. The session does not read `token_type`: the option `header` has
 * the word before the token.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-5.1
 */
export interface OAuthTokenResponse {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  /** Seconds until the access token expires. */
  readonly expires_in?: number | undefined;
  readonly token_type?: string | undefined;
}

/** What `parseTokens` returns. */
export type ParsedTokens = (TokenResponse | OAuthTokenResponse) & {
  /** The user's id. */
  readonly subject?: string | undefined;
};

/** Enough of an answer's keys to recognize its shape. */
const MAX_KEYS = 10;
const MAX_KEY_LENGTH = 24;

/**
 * Reads the tokens of a result, in camelCase or in OAuth's spelling. Where a result has both, camelCase wins.
 *
 * @throws InvalidCredentialError when it has no token, or a token that no header can carry. The message names the keys
 * of the result, never a value.
 */
export function readTokens(
  result: unknown,
  parseTokens: ((result: unknown) => ParsedTokens) | undefined,
): TokenResponse & { readonly named?: { readonly subject: string | undefined } | undefined } {
  const given = (parseTokens ? tryOrUndefined(() => parseTokens(result)) : result) as
    Partial<TokenResponse & OAuthTokenResponse & ParsedTokens> | null | undefined;
  const accessToken = given?.accessToken ?? given?.access_token;
  if (typeof given !== 'object' || accessToken === undefined || accessToken === null) {
    assertNotResponse(result);
    if (isPage(result)) throw new InvalidCredentialError(A_PAGE);
    if (isRefusal(result))
      throw new InvalidCredentialError(
        `The server answered ${describe(result)} with a success status, and no token. Let it refuse with 401; a login may also answer 400 or 422, and users then read its message. Or read the answer in your function: throw new Error() with the server's sentence in \`login\`, throw a SessionExpiredError in \`refresh\`, and return null in \`restore\`.`,
      );
    throw new InvalidCredentialError(
      `The server answered ${describe(result)}, where an object with the string \`accessToken\` (or \`access_token\`) was expected. If the token has another name, read it with the session's \`parseTokens\` option.`,
    );
  }
  return {
    accessToken: assertHeaderSafe(accessToken, 'access token'),
    refreshToken: given!.refreshToken ?? given!.refresh_token,
    // A server that sends null does not say.
    expiresIn: given!.expiresIn ?? given!.expires_in ?? undefined,
    expiresAt: given!.expiresAt ?? undefined,
    named: parseTokens && 'subject' in given! ? { subject: subjectText(given.subject) } : undefined,
  };
}

/** `{ success: false, message }` or `{ error: '…' }`, as some servers answer with 200. */
function isRefusal(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { success, ok, error } = result;
  // Not a number: 0 means success in some answers.
  const isError = isObject(error) ? Object.keys(error).length > 0 : typeof error === 'string' && error !== '';
  return success === false || ok === false || isError;
}

function describe(result: unknown): string {
  if (result === null || result === undefined || result === '') return 'nothing (an empty answer or 204)';
  if (Array.isArray(result)) return 'a list';
  return typeof result === 'object' ? describeKeys(Object.keys(result)) : `a ${typeof result}`;
}

function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, MAX_KEYS).map(key => `\`${shorten(key)}\``);
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : '';
  return `an object with the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${more}`;
}

function shorten(key: string): string {
  return key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key;
}

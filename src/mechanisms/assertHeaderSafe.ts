import { InvalidCredentialError } from '../errors.js';

// What fetch accepts as a header value: Latin-1 without control characters (RFC 9110, section 5.5).
const HEADER_SAFE = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** The longest token that the kit sends, in characters. Common servers refuse header lines beyond 8 to 16 KB. */
const MAX_TOKEN_LENGTH = 16_000;

function problemOf(token: unknown): string | undefined {
  if (typeof token !== 'string') return `is ${token === null ? 'null' : typeof token}, not a string`;
  if (token === '') return 'is empty';
  if (token.length > MAX_TOKEN_LENGTH)
    return `is ${token.length} characters long, more than servers accept in a header`;
  if (!HEADER_SAFE.test(token))
    return 'contains a control character or a character outside Latin-1, or starts or ends with a space';
  return undefined;
}

/**
 * Returns the token, if a header can carry it.
 *
 * @param kind The name of the token in the message: `'access token'`.
 * @throws InvalidCredentialError otherwise. The message describes the token without quoting it.
 */
export function assertHeaderSafe(token: unknown, kind: string): string {
  const problem = problemOf(token);
  if (problem)
    throw new InvalidCredentialError(
      `The ${kind} ${problem}, so no request can carry it. Give the ${kind} as the server issued it.`,
    );
  return token as string;
}

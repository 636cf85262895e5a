import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attachCheckedHeader } from './attachHeader.js';

/** The spec's header for an access token. */
const DEFAULT_HEADER = 'Access-Token';

/** Where a token travels. */
export interface TokenHeaderOptions {
  /** The header that carries the token. @default 'Access-Token' */
  readonly header?: string | undefined;
  /** The word before it, e.g. `token` for GitHub. @default 'Bearer' in `Authorization`, none elsewhere */
  readonly scheme?: string | undefined;
}

/**
 * The init with the token in its header.
 *
 * @throws InvalidCredentialError when no header can carry the token.
 */
export function attachToken(
  init: RequestInit,
  token: unknown,
  { header = DEFAULT_HEADER, scheme }: TokenHeaderOptions,
): RequestInit {
  const value = assertHeaderSafe(token, 'access token');
  const word = scheme ?? (header.toLowerCase() === 'authorization' ? 'Bearer' : '');
  return attachCheckedHeader(init, header, `${word} ${value}`.trim());
}

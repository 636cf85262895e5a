import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attachCheckedHeader } from './attachHeader.js';

/** The default header for an access token. Most APIs expect `Authorization`; see the option `header`. */
const DEFAULT_HEADER = 'Access-Token';

/** The header that carries the token. */
export interface TokenHeaderOptions {
  /** The header that carries the token. @default 'Access-Token' */
  readonly header?: string | undefined;
  /** The word before it, e.g. `token` for GitHub. @default 'Bearer' in `Authorization`, none elsewhere */
  readonly scheme?: string | undefined;
}

/**
 * Returns the init with the token in its header.
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

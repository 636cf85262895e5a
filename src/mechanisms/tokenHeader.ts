import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attachCheckedHeader } from './attachHeader.js';

/** The default header for an access token. Most APIs expect `Authorization`; see the option `header`. */
const DEFAULT_HEADER = 'Access-Token';

/** The header that carries the token. */
export interface TokenHeaderOptions {
  /**
   * The header that carries the token, and after a colon the word before it: `'Authorization: token'` for GitHub; `'Authorization:'` sends no
   * word. Without a colon it is `Bearer` in `Authorization`, none elsewhere. @default 'Access-Token'
   */
  readonly header?: string | undefined;
}

function lineOf(token: string, { header: line = DEFAULT_HEADER }: TokenHeaderOptions) {
  const [header = '', word = header.toLowerCase() === 'authorization' ? 'Bearer' : ''] = line.split(':', 2);
  return { header, value: `${word.trim()} ${token}`.trim() };
}

/**
 * Returns the init with the token in its header.
 *
 * @throws InvalidCredentialError when no header can carry the token.
 */
export function attachToken(init: RequestInit, token: unknown, options: TokenHeaderOptions): RequestInit {
  const { header, value } = lineOf(assertHeaderSafe(token, 'access token'), options);
  return attachCheckedHeader(init, header, value);
}

/** The header line with a placeholder for the token: `Authorization: Bearer <token>`. */
export function tokenPlace(options: TokenHeaderOptions): string {
  const { header, value } = lineOf('<token>', options);
  return `${header}: ${value}`;
}

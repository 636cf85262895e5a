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

function lineOf(value: string, { header = DEFAULT_HEADER, scheme }: TokenHeaderOptions) {
  const word = scheme ?? (header.toLowerCase() === 'authorization' ? 'Bearer' : '');
  return { header, value: `${word} ${value}`.trim() };
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

/** The two claims of a JWT that a client may use: whose it is and, in seconds since 1970, when it ends. */
export interface JwtClaims {
  readonly sub?: string;
  readonly exp?: number;
}

function decodeBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, character => character.charCodeAt(0)));
}

/**
 * Reads the claims of a token that is a JWT; any other token, and what is no token at all, has none.
 *
 * The signature is not checked: the claims tell identities apart in this page, and nothing is granted on them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1
 */
export function jwtClaims(token: unknown): JwtClaims {
  const parts = typeof token === 'string' ? token.split('.') : [];
  if (parts.length !== 3) return {};
  try {
    const { sub, exp } = JSON.parse(decodeBase64Url(parts[1] ?? '')) as Record<string, unknown>;
    return { ...(typeof sub === 'string' && { sub }), ...(typeof exp === 'number' && { exp }) };
  } catch {
    return {};
  }
}

import { subjectText } from './subjectOf.js';

/** The claims of a JWT that a client may use. */
export interface JwtClaims {
  /** The user. Many servers put the id of a database there, a number, although the standard has a text. */
  readonly sub?: string;
  /** When it was issued, in seconds since 1970 by the server's clock. */
  readonly iat?: number;
  /** When it expires, in the same way. */
  readonly exp?: number;
  /** The organization or tenant. */
  readonly tenant?: string | undefined;
}

/** The claims by which servers name the organization or tenant of a token (Auth0, Clerk, WorkOS, Microsoft Entra, Firebase). */
const TENANT_CLAIMS = ['org_id', 'org', 'tid', 'tenant', 'tenant_id'];

function tenantOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  return TENANT_CLAIMS.map(name => subjectText(claims[name])).find(text => text !== undefined);
}

function decodeBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, character => character.charCodeAt(0)));
}

/**
 * Reads the claims of a JWT. Returns no claims for any other value.
 *
 * Does not check the signature: the claims only distinguish identities on this page, and grant nothing.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1
 */
export function jwtClaims(token: unknown): JwtClaims {
  const parts = typeof token === 'string' ? token.split('.') : [];
  if (parts.length !== 3) return {};
  try {
    const claims = JSON.parse(decodeBase64Url(parts[1] ?? '')) as Record<string, unknown>;
    const [sub, { iat, exp }] = [subjectText(claims.sub), claims];
    return {
      ...(sub !== undefined && { sub }),
      ...(typeof iat === 'number' && { iat }),
      ...(typeof exp === 'number' && { exp }),
      ...(tenantOf(claims) !== undefined && { tenant: tenantOf(claims) }),
    };
  } catch {
    return {};
  }
}

/** Creates a JSON Web Token for tests. Its signature is the word `mock`, so no real server accepts it. */
export function mockJwt(claims: Readonly<Record<string, unknown>>): string {
  return [encode({ alg: 'HS256', typ: 'JWT' }), encode(claims), base64url('mock')].join('.');
}

function encode(value: unknown): string {
  return base64url(JSON.stringify(value));
}

function base64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

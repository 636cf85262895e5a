/** Makes what looks like a JSON Web Token; its signature is the word `pretend`, so no server would take it. */
export function pretendJwt(claims: Readonly<Record<string, unknown>>): string {
  return [encode({ alg: 'HS256', typ: 'JWT' }), encode(claims), base64url('pretend')].join('.');
}

function encode(value: unknown): string {
  return base64url(JSON.stringify(value));
}

function base64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

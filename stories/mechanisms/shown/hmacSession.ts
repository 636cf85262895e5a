import { attachHeader, createSession, type RequestToAttach } from '../../../src/index.js';
import { api } from '../../support/articles.js';

const encode = (text: string) => new TextEncoder().encode(text);
const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');

/** Signs what the server must not find changed: method, path, time and body. */
async function sign({ url, init }: RequestToAttach, date: string, key: CryptoKey): Promise<string> {
  const { pathname, search } = new URL(url);
  const body = await new Response(init.body ?? null).arrayBuffer();
  const bodyHash = toHex(await crypto.subtle.digest('SHA-256', body));
  const text = [init.method ?? 'GET', pathname + search, date, bodyHash].join('\n');
  return toHex(await crypto.subtle.sign('HMAC', key, encode(text)));
}

export const session = createSession({
  trustedOrigins: [api],
  async login({ keyId, secret }: { keyId: string; secret: string }) {
    // Not extractable: no script can read the secret back.
    const key = await crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    return { credential: { keyId, key }, user: { id: keyId }, subject: keyId };
  },
  async attach(request, credential) {
    if (!credential) return request.init;
    const date = new Date().toISOString();
    const signature = await sign(request, date, credential.key);
    const headers = { 'X-Key-Id': credential.keyId, 'X-Date': date, 'X-Signature': signature };
    return Object.entries(headers).reduce((init, [name, value]) => attachHeader(init, name, value), request.init);
  },
});

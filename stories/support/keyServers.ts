// Two mock servers: one checks a signature on each request, the other an API key.
import { http, HttpResponse, type RequestHandler } from 'msw';
import { type IncomingRequest } from '../../src/testing/index.js';
import { articleHandlers, api, people, rows } from './articles.js';

/** How much the clocks of page and server may differ, in milliseconds. */
const MAX_CLOCK_ERROR_MS = 5 * 60_000;

const encode = (text: string) => new TextEncoder().encode(text);
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');

/** True if the request has a fresh signature of its method, path and body. The secret is the user's password. */
async function isSigned(request: Request): Promise<boolean> {
  const header = (name: string) => request.headers.get(name) ?? '';
  const person = people.find(({ id }) => id === header('X-Key-Id'));
  if (!person || !(Math.abs(Date.now() - Date.parse(header('X-Date'))) < MAX_CLOCK_ERROR_MS)) return false;
  const { pathname, search } = new URL(request.url);
  const bodyHash = toHex(await crypto.subtle.digest('SHA-256', await request.clone().arrayBuffer()));
  const text = [request.method, pathname + search, header('X-Date'), bodyHash].join('\n');
  const key = await crypto.subtle.importKey('raw', encode(person.password), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  return crypto.subtle.verify('HMAC', key, fromHex(header('X-Signature')), encode(text));
}

/** Articles that need a signature: a list, and a change of one. A missing or wrong signature gets a 401. */
export function signatureHandlers(): RequestHandler[] {
  const refused = () => HttpResponse.json({ message: 'The signature is wrong.' }, { status: 401 });
  return [
    http.get(`${api}/article`, async ({ request }) => {
      const own = rows.filter(({ author }) => author === request.headers.get('X-Key-Id'));
      return (await isSigned(request)) ? HttpResponse.json(own) : refused();
    }),
    http.patch(`${api}/article/:id`, async ({ request, params }) => {
      if (!(await isSigned(request))) return refused();
      return HttpResponse.json({ ...rows.find(({ id }) => id === params.id), ...((await request.json()) as object) });
    }),
  ];
}

/** Articles that need an API key: `key-` and the user's password. Also answers `/whoami`. */
export function apiKeyHandlers(): RequestHandler[] {
  const personOf = ({ request }: IncomingRequest) =>
    people.find(({ password }) => request.headers.get('X-API-Key') === `key-${password}`);
  const refused = () => HttpResponse.json({ message: 'No such key.' }, { status: 401 });
  const auth = { personOf, authorize: (incoming: IncomingRequest) => (personOf(incoming) ? undefined : refused()) };
  const articles = articleHandlers(auth);
  return [
    http.get(`${api}/whoami`, ({ request }) => {
      const person = personOf({ request });
      return person ? HttpResponse.json({ id: person.id, name: person.name }) : refused();
    }),
    ...articles.handlers,
  ];
}

// A form with a file, on a real server: what is sent again after a stale credential is the same, byte by byte.
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ApiServer, Answer, Arrived } from './support/apiServer.js';
import { eventually, press, signIn, test } from './support/test.js';

const file = randomBytes(300_000);
const answers = {
  'POST /article': (usual: Answer) => (usual.status ? usual : { status: 201, body: { id: 'new', title: 'New' } }),
};

const boundaryOf = ({ headers }: Arrived) =>
  /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1];

/** The parts of a body, without the boundary, which the browser makes up for each request. Binary text keeps each byte. */
function partsOf(arrived: Arrived): string[] {
  const boundary = boundaryOf(arrived);
  if (!boundary) return ['no boundary'];
  return arrived.bytes.toString('binary').split(`--${boundary}`);
}

const expectedParts = [
  '',
  '\r\nContent-Disposition: form-data; name="title"\r\n\r\nOn moths\r\n',
  `\r\nContent-Disposition: form-data; name="file"; filename="moth.png"\r\nContent-Type: image/png\r\n\r\n${file.toString('binary')}\r\n`,
  '--\r\n',
];

/** The parts as digests: a failure then prints lines, and not the file. */
const digests = (parts: readonly string[]) =>
  parts.map(part => `${part.length} ${createHash('sha256').update(part, 'binary').digest('hex')}`);

const staleCredentials: [session: string, makeStale: (server: ApiServer) => void, renewal: string[]][] = [
  ['cookie', server => server.expireCsrf(), ['GET /cookie/csrf', 'GET /cookie/whoami']],
  ['token', server => server.expireAccess(), ['POST /token/refresh']],
];
const forms: [form: string, request: string, note: string][] = [
  ['Create', 'POST /article', 'Created.'],
  ['Save', 'PATCH /article/1', 'Saved.'],
];

describe.each(staleCredentials)('with a stale %s', (session, makeStale, renewal) => {
  test.for(forms)(
    'the form “%s” is sent twice, with the same parts',
    async ([button, request, note], { startServer, open }) => {
      const server = await startServer({ answers });
      const page = await open(server, { session, upload: '', csrf: '' });
      await signIn(page, 'ada');
      makeStale(server);
      server.requests.length = 0;
      const form = page.getByRole('form', { name: button });
      await form.getByLabel('Title').fill('On moths');
      await form.getByLabel('File').setInputFiles({ name: 'moth.png', mimeType: 'image/png', buffer: file });
      await press(page, button);
      await eventually(() => form.getByRole('status').textContent(), note);

      expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([request, ...renewal, request]);
      const [first, second] = [server.requests[0]!, server.requests.at(-1)!];
      expect(digests(partsOf(first))).toEqual(digests(expectedParts));
      expect(digests(partsOf(second))).toEqual(digests(expectedParts));
      expect(boundaryOf(second)).not.toBe(boundaryOf(first));
      // The boundaries of Firefox differ in length.
      for (const { headers, bytes } of [first, second]) expect(headers['content-length']).toBe(`${bytes.length}`);
    },
  );
});

import { expect, test, vi } from 'vitest';
import { json } from './support/answers.js';
import type { Seen } from './support/mockServer.js';
import { errorOf } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';

const REFUSED = { detail: 'CSRF Failed: CSRF token incorrect.' };

/** The browser has two cookies of one name, and the server reads the one with `good`. */
function setup(values: readonly string[], fetch: boolean) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const guarded = (answer: () => Response) => (seen: Seen) => (csrfOf(seen) === 'good' ? answer() : json(REFUSED, 403));
  const name = `csrf-${values.join('-')}-${fetch}`;
  const made = setupCookieSession(
    {
      tabs: false,
      csrf: { cookie: name, header: 'X-CSRFToken', ...(fetch && { fetch: async () => {} }) },
    },
    {
      'POST /login': guarded(() => json({ id: 'ada' })),
      'GET /whoami': () => json({ id: 'ada' }),
      'PATCH /article/1': guarded(() => json({ id: '1' })),
    },
  );
  let cookies = values;
  vi.stubGlobal('document', {
    addEventListener: () => {},
    removeEventListener: () => {},
    get cookie() {
      return cookies.map(value => `${name}=${value}`).join('; ');
    },
  });
  return { ...made, warn, name, setCookies: (next: readonly string[]) => void (cookies = next) };
}

test.each([
  [['old', 'good'], true],
  [['good', 'old'], true],
  [['old', 'good'], false],
  [['good', 'old'], false],
])(
  'scenario 50: two CSRF cookies of one name (%s, with a fetch: %s): the login works, and so does a change',
  async (values, fetch) => {
    const { session, fake, ArticleResource, warn, name } = setup(values, fetch);
    await session.login({ name: 'ada' });
    await ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
    expect(fake.to('PATCH').map(csrfOf)).toEqual(['good']);
    const warned = warn.mock.calls.filter(([text]) => `${text}`.includes(`two cookies with the name \`${name}\``));
    expect(warned).toHaveLength(values[0] === 'old' ? 1 : 0);
  },
);

test.each([true, false])(
  'a second cookie that comes later: the change is sent once more with the other value (fetch: %s)',
  async fetch => {
    const { session, fake, ArticleResource, setCookies } = setup(['good'], fetch);
    await session.login({ name: 'ada' });
    setCookies(['late', 'good']);
    await ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
    expect(fake.to('PATCH').map(csrfOf)).toEqual(['late', 'good']);
  },
);

test('where the page may not read its cookies, the login rejects with a sentence', async () => {
  const { session } = setup([], false);
  vi.stubGlobal('document', {
    addEventListener: () => {},
    removeEventListener: () => {},
    get cookie(): string {
      throw new DOMException('The document is sandboxed.', 'SecurityError');
    },
  });
  expect(await errorOf(session.login({ name: 'ada' }))).toMatchObject({
    name: 'TypeError',
    message: expect.stringContaining('sandbox="allow-same-origin"') as string,
    cause: { name: 'SecurityError' },
  });
});

// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Kit from '../../src/index.js';

// A page may load the package twice, for example for an app and for a part of the page that another team builds.

const OTHER_COPY = 'The nearest auth provider belongs to another copy of data-client-auth than this component';

/** What each of the two copies has. */
async function loadCopy(name: string) {
  vi.resetModules();
  const kit: typeof Kit = await import('../../src/index.js');
  class Article extends kit.Entity {
    id = '';
  }
  const articles = kit.resource({ path: '/article/:id', schema: Article });
  const session = kit.createTokenSession({
    login: async () => ({ accessToken: `${name}-1`, user: { id: name } }),
  });
  await session.login();
  const { useGet } = kit.hookifyResource(articles);
  const hooks = {
    'a hook of a resource': useGet,
    'useEndpoint()': () => kit.useEndpoint(articles.get),
    'useAuthInit()': () => kit.useAuthInit(),
    'useSessionFetch()': () => kit.useSessionFetch(),
    'useAuth()': () => kit.useAuth(),
  };
  const Provider = ({ children }: { children: ReactNode }) => (
    <kit.TokenAuthProvider session={session}>{children}</kit.TokenAuthProvider>
  );
  const User = () => kit.useAuth<typeof session>().user?.id;
  return { hooks, Provider, User };
}

const Call = ({ hook }: { hook: () => unknown }) => {
  hook();
  return 'called';
};

/** The text of a page. */
function shown(content: ReactNode): string | null {
  cleanup();
  return render(content).container.textContent;
}

const outer = await loadCopy('ada');
const inner = await loadCopy('grace');

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what a component has thrown.
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a hook below the provider of another copy is refused, even when a provider of its own copy is further out', () => {
  expect(Object.keys(outer.hooks)).toHaveLength(5);
  for (const [name, hook] of Object.entries(outer.hooks)) {
    const below = <Call hook={hook} />;
    expect(() => shown(<inner.Provider>{below}</inner.Provider>), name).toThrow(OTHER_COPY);
    const nested = <inner.Provider>{below}</inner.Provider>;
    expect(() => shown(<outer.Provider>{nested}</outer.Provider>), name).toThrow(OTHER_COPY);
    expect(shown(<outer.Provider>{below}</outer.Provider>), name).toBe('called');
  }
});

test('two copies, one below the other, work where each has its own provider as the nearest', () => {
  const both = (
    <outer.Provider>
      <outer.User />
      {' and '}
      <inner.Provider>
        <inner.User />
      </inner.Provider>
    </outer.Provider>
  );
  expect(shown(both)).toBe('ada and grace');
});

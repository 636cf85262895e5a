import { CacheProvider, useSuspense } from '@data-client/react';
import { RestEndpoint } from '@data-client/rest';
import { Suspense, type ReactNode } from 'react';
import { CookieAuthProvider, createCookieSession, RestEndpoint as KitEndpoint } from '../../../src/index.js';
import { compare, type Rounds } from './compare.js';
import { mount, until } from './mount.js';
import { notesAt, plainNotesAt } from './notes.js';
import type { Item } from './rows.js';

const ADA = { id: 'ada' };

const listOf = (items: readonly Item[]) => (
  <ul>
    {items.map(item => (
      <li key={item.id}>{item.title}</li>
    ))}
  </ul>
);

/** Times a page with a cookie from its first render to its first row: the user is known from `initial`, or has to be asked for. */
export async function coldStart(base: string, rounds: Rounds) {
  const urlPrefix = location.origin + base;
  const Kit = notesAt(urlPrefix);
  const Plain = plainNotesAt(urlPrefix);
  const whoami = new RestEndpoint({ urlPrefix, path: '/whoami' });
  function KitList() {
    return listOf(useSuspense(Kit.useGetList()));
  }
  function PlainList() {
    return listOf(useSuspense(Plain.getList));
  }
  function AfterWhoami({ children }: { children: ReactNode }) {
    useSuspense(whoami);
    return <>{children}</>;
  }

  const untilFirstRow = (app: () => ReactNode) => async () => {
    const start = performance.now();
    const { element, unmount } = mount(app());
    await until(element, () => element.querySelector('li') !== null);
    // What is seen has been laid out.
    element.getBoundingClientRect();
    const ms = performance.now() - start;
    unmount();
    return ms;
  };
  const plain = (children: ReactNode) => (
    <CacheProvider>
      <Suspense fallback={<p>One moment…</p>}>{children}</Suspense>
    </CacheProvider>
  );
  const kit = (initial?: typeof ADA) => {
    const session = createCookieSession({
      login: async () => ADA,
      whoami: new KitEndpoint({ urlPrefix, path: '/whoami' }) as () => Promise<typeof ADA>,
      initial,
    });
    return (
      <CookieAuthProvider session={session}>
        <Suspense fallback={<p>One moment…</p>}>
          <KitList />
        </Suspense>
      </CookieAuthProvider>
    );
  };
  return compare(
    {
      'data-client alone': untilFirstRow(() => plain(<PlainList />)),
      'data-client-auth, with `initial`': untilFirstRow(() => kit(ADA)),
      'data-client alone, after a whoami': untilFirstRow(() =>
        plain(
          <AfterWhoami>
            <PlainList />
          </AfterWhoami>,
        ),
      ),
      'data-client-auth, without `initial`': untilFirstRow(() => kit()),
    },
    rounds,
  );
}

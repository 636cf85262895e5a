import { CacheProvider, useSuspense } from '@data-client/react';
import { RestEndpoint, type RestGenerics } from '@data-client/rest';
import { Suspense, useState, type ReactNode } from 'react';
import { TokenAuthProvider } from '../../../src/index.js';
import { compare, type Rounds } from './compare.js';
import { mount, until } from './mount.js';
import { localSession, notesAt, plainNotesAt } from './notes.js';
import type { Item } from './rows.js';

const waiting = <p>One moment…</p>;

const listOf = (items: readonly Item[]) => (
  <ul>
    {items.map(item => (
      <li key={item.id}>{item.title}</li>
    ))}
  </ul>
);

/** Times the switch from one of two people to the other: their 1,000 rows are fetched, normalized and rendered. */
export async function switchUser(base: string, rounds: Rounds) {
  const urlPrefix = location.origin + base;

  const session = localSession();
  await session.login('ada');
  const Kit = notesAt(urlPrefix);
  function KitList() {
    return listOf(useSuspense(Kit.useGetList()));
  }
  const kit = mount(
    <TokenAuthProvider session={session}>
      <Suspense fallback={waiting}>
        <KitList />
      </Suspense>
    </TokenAuthProvider>,
  );

  let token = 'ada';
  class TokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, Authorization: `Bearer ${token}` };
    }
  }
  const Plain = plainNotesAt(urlPrefix, TokenEndpoint);
  function PlainList() {
    return listOf(useSuspense(Plain.getList));
  }
  let setPerson = (_person: string) => {};
  function PlainApp(): ReactNode {
    const [person, set] = useState('ada');
    setPerson = next => {
      token = next;
      set(next);
    };
    return (
      <CacheProvider key={person}>
        <Suspense fallback={waiting}>
          <PlainList />
        </Suspense>
      </CacheProvider>
    );
  }
  const plain = mount(<PlainApp />);

  const switching = ({ element }: { element: HTMLElement }, become: (person: string) => unknown) => {
    let person = 'ada';
    // In a box of its own: neither list moves the other.
    element.style.cssText = 'height: 50vh; overflow: auto';
    const isShown = () => element.querySelector('li')?.textContent === `Note 0 of ${person}`;
    return async () => {
      await until(element, isShown);
      person = person === 'ada' ? 'grace' : 'ada';
      const start = performance.now();
      become(person);
      await until(element, isShown);
      // What is seen has been laid out.
      element.getBoundingClientRect();
      return performance.now() - start;
    };
  };
  const samples = await compare(
    {
      'plain remount': switching(plain, person => setPerson(person)),
      'data-client-auth': switching(kit, session.login),
    },
    rounds,
  );
  kit.unmount();
  plain.unmount();
  return samples;
}

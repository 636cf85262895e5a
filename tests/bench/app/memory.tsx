import { CacheProvider, useController, useSuspense, type Controller } from '@data-client/react';
import { RestEndpoint, type RestGenerics } from '@data-client/rest';
import { Suspense, useState, type ReactNode } from 'react';
import { TokenAuthProvider } from '../../../src/index.js';
import { ResourceDetail } from '../../../src/entries/widgets.js';
import { mount, painted, until } from './mount.js';
import { localSession, notesAt, plainNotesAt } from './notes.js';

/** Requests go to so many records, so that the store does not grow. */
const RECORDS = 100;
const AT_ONCE = 10;

let token = 'ada';
class TokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, Authorization: `Bearer ${token}` };
  }
}

interface Handle {
  fetch: (id: string) => Promise<unknown>;
}

/** Does one thing again and again, under data-client alone or with the kit; the runner looks at the memory between. */
export async function memory(base: string, what: string, withKit: boolean) {
  const urlPrefix = location.origin + base;
  const Kit = notesAt(urlPrefix);
  const Plain = plainNotesAt(urlPrefix, TokenEndpoint);
  const session = localSession();
  await session.login('ada');

  const handle: Handle = { fetch: async () => {} };
  function KitFetcher() {
    const controller: Controller = useController();
    const get = Kit.useGet();
    handle.fetch = id => controller.fetch(get, { id });
    return null;
  }
  function PlainFetcher() {
    const controller: Controller = useController();
    handle.fetch = id => controller.fetch(Plain.get, { id });
    return null;
  }
  function PlainNote() {
    return <p className="note">{useSuspense(Plain.get, { id: '1' }).title}</p>;
  }
  const kitNote = (
    <ResourceDetail resource={Kit} params={{ id: '1' }} renderItem={note => <p className="note">{note.title}</p>} />
  );
  const app = (children: ReactNode, key = 'app') =>
    withKit ? (
      <TokenAuthProvider session={session}>{children}</TokenAuthProvider>
    ) : (
      <CacheProvider key={key}>
        <Suspense fallback={<p>One moment…</p>}>{children}</Suspense>
      </CacheProvider>
    );
  const note = withKit ? kitNote : <PlainNote />;
  const shows = (element: HTMLElement, person: string) => () =>
    element.querySelector('.note')?.textContent?.includes(` of ${person}`) === true;

  /** @param once Resolves when it has been done. */
  const times = (once: (index: number) => Promise<unknown>, step = 1) => ({
    again: async (count: number) => {
      for (let index = 0; index < count; index += step) await once(index);
      await painted();
    },
  });

  switch (what) {
    case 'requests':
      mount(app(withKit ? <KitFetcher /> : <PlainFetcher />));
      await painted();
      return times(
        index => Promise.all(Array.from({ length: AT_ONCE }, (_, more) => handle.fetch(`${(index + more) % RECORDS}`))),
        AT_ONCE,
      );
    case 'switches of identity': {
      let setPerson = (_person: string) => {};
      function Switched() {
        const [person, set] = useState('ada');
        setPerson = set;
        return app(note, person);
      }
      const { element } = mount(<Switched />);
      let person = 'ada';
      await until(element, shows(element, person));
      return times(() => {
        person = person === 'ada' ? 'grace' : 'ada';
        token = person;
        if (withKit) void session.login(person);
        else setPerson(person);
        return until(element, shows(element, person));
      });
    }
    default:
      return times(async () => {
        const { element, unmount } = mount(app(note));
        await until(element, shows(element, 'ada'));
        unmount();
      });
  }
}

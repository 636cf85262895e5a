import { CacheProvider, useController, useSuspense, type Controller } from '@data-client/react';
import { RestEndpoint, type RestGenerics } from '@data-client/rest';
import { memo, Suspense, useEffect, type ReactNode } from 'react';
import { createTokenSession, RestEndpoint as KitEndpoint, TokenAuthProvider } from '../../../src/index.js';
import { EXPIRED, FIRST_REFRESH_TOKEN } from './clients/Client.js';
import { mount } from './mount.js';
import { notesAt, plainNotesAt } from './notes.js';

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Mounts so many widgets, each with a record of its own. The runner lets the token expire, and has all of them read again. */
export async function expiry(base: string, withKit: boolean, count: number) {
  const urlPrefix = location.origin + base;
  const ids = Array.from({ length: count }, (_, id) => `${id}`);

  let shown = new Set<string>();
  let allShown = () => {};
  const nextTimeAll = () => {
    shown = new Set();
    return new Promise<void>(done => (allShown = done));
  };
  let controller: Controller | undefined;
  function Hold() {
    controller = useController();
    return null;
  }
  function useShown(id: string, title: string) {
    useEffect(() => {
      if (shown.add(id).size === count) allShown();
    }, [id, title]);
  }

  const Kit = notesAt(urlPrefix);
  const KitRow = memo(function KitRow({ id }: { id: string }) {
    const { title } = useSuspense(Kit.useGet(), { id });
    useShown(id, title);
    return <li>{title}</li>;
  });

  let tokens: Tokens = { accessToken: EXPIRED, refreshToken: FIRST_REFRESH_TOKEN };
  class TokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, Authorization: `Bearer ${tokens.accessToken}` };
    }
  }
  const Plain = plainNotesAt(urlPrefix, TokenEndpoint);
  const PlainRow = memo(function PlainRow({ id }: { id: string }) {
    const { title } = useSuspense(Plain.get, { id });
    useShown(id, title);
    return <li>{title}</li>;
  });
  const refreshByHand = async () => {
    const { refreshToken } = tokens;
    const answer = await fetch(`${urlPrefix}/refresh`, { method: 'POST', body: JSON.stringify({ refreshToken }) });
    tokens = (await answer.json()) as Tokens;
  };

  const session = createTokenSession({
    login: async () => ({ ...tokens, user: { id: 'ada' } }),
    refresh: new KitEndpoint({ urlPrefix, path: '/refresh', method: 'POST' }),
    header: 'Authorization',
  });
  if (withKit) await session.login();
  else await refreshByHand();

  const Row = withKit ? KitRow : PlainRow;
  // Each suspends alone, as widgets do.
  const rows: ReactNode = (
    <ul>
      {ids.map(id => (
        <Suspense key={id} fallback={<li>…</li>}>
          <Row id={id} />
        </Suspense>
      ))}
      <Hold />
    </ul>
  );
  const mounted = nextTimeAll();
  const { unmount } = mount(
    withKit ? <TokenAuthProvider session={session}>{rows}</TokenAuthProvider> : <CacheProvider>{rows}</CacheProvider>,
  );
  await mounted;

  return {
    unmount,
    readAgain: async () => {
      const all = nextTimeAll();
      const start = performance.now();
      if (!withKit) {
        // data-client alone has no refresh, and would show 1,000 errors.
        const headers = { Authorization: `Bearer ${tokens.accessToken}` };
        await Promise.all(ids.map(id => fetch(`${urlPrefix}/note/${id}`, { headers }).then(answer => answer.text())));
        await refreshByHand();
      }
      void controller?.expireAll({ testKey: () => true });
      await all;
      return performance.now() - start;
    },
  };
}

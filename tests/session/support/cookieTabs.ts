import { vi } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { createCookieSession } from '../../../src/mechanisms/cookie.js';
import type { Session } from '../../../src/session/session.js';
import type { SessionCore } from '../../../src/session/extension.js';
import { fakeLocks, type FakeLockOptions } from './fakeLocks.js';
import { jumpingClock } from './time.js';

const API = 'https://api.test';

interface Tab {
  readonly id: string;
  /** Who is signed in there; undefined: nobody, or nobody knows. */
  user(): string | undefined;
  note(): Promise<unknown>;
  login(name: string): Promise<unknown>;
  logout(): Promise<unknown>;
  focus(): void;
  /** Its components are gone, or there again. */
  mount(): void;
}

interface Heard {
  onmessage?: ((event: { data: unknown }) => void) | undefined;
}

/**
 * Tabs of one browser, each with a cookie session: Web Locks, messages that come late or never, one cookie, and a server that sets it
 * again with each answer. The browser attaches the cookie some time after a request was sent, and may take the one of an aborted request.
 */
export function createCookieTabs({ random, timeoutMs }: { random: () => number; timeoutMs: number }) {
  const time = jumpingClock();
  const pick = <T>(...items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const sleep = (ms: number) => new Promise<void>(resolve => void time.after(ms, resolve));
  const clock: Clock = { now: time.now, setTimeout: (callback, ms) => time.after(ms, callback) };
  const onTheWay = () => sleep(isCalm ? 1 : pick(1, 1, 5, 5, 30, 30, 80, 150, 300, 900));
  const seen = { notes: 0, aborted: 0, lost: 0 };
  const faults: string[] = [];
  let cookie: string | null = null;
  /** The server answers fast, and without failures. */
  let isCalm = false;

  const tabs: Tab[] = [];
  let here: Tab | undefined;
  const inTab = <T>(tab: Tab, act: () => T): T => {
    here = tab;
    try {
      return act();
    } finally {
      here = undefined;
    }
  };
  const locks = fakeLocks<Tab>({
    here: () => here,
    run: (_tab, act) => act(),
    isGone: () => false,
    clientId: ({ id }) => id,
  });
  const managerOf = (tab: Tab) => ({
    request: (name: string, ...rest: unknown[]) =>
      inTab(tab, () =>
        locks.request(name, rest.length > 1 ? (rest[0] as FakeLockOptions) : {}, rest.at(-1) as () => Promise<unknown>),
      ).catch(async (error: unknown) => {
        // A page hears late that it was robbed.
        await sleep(pick(0, 30, 80));
        throw error;
      }),
    query: locks.query,
  });

  const channels = new Map<Heard, Tab | undefined>();
  vi.stubGlobal(
    'BroadcastChannel',
    class implements Heard {
      onmessage?: Heard['onmessage'];
      constructor() {
        channels.set(this, here);
      }
      postMessage(data: unknown) {
        for (const other of channels.keys()) {
          if (other === this) continue;
          if (pick(true, false, false)) seen.lost++;
          else void sleep(pick(0, 1, 20, 140, 1_000)).then(() => channels.has(other) && other.onmessage?.({ data }));
        }
      }
      close() {
        channels.delete(this);
      }
    },
  );
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('navigator', { onLine: true });

  /** The status, whom the answer names, and the cookie that it sets. */
  type Answer = readonly [status: number, user?: string | null, cookie?: string | null];

  function answer(path: string, params: URLSearchParams, sent: string | null): Answer {
    const as = params.get('as') ?? '';
    if (path === '/login')
      return pick<Answer>([200, as, as], [204, null, as], [204, null, as], [401], [500, null, as], [503]);
    if (path === '/logout') return pick<Answer>([204, null, null], [204, null, null], [500]);
    if (path === '/whoami' && !isCalm && random() < 0.1) return [503];
    return sent === null ? [401] : [200, sent, sent];
  }

  function judge(path: string, params: URLSearchParams, sent: string | null, shown: string | undefined): void {
    const who = `${params.get('tab')}: ${path}`;
    const as = params.get('as')!;
    if (path === '/note') {
      if (sent !== null) seen.notes++;
      const owner = as === 'unknown' ? shown : as;
      if (sent !== null && sent !== owner) faults.push(`${who} of ${owner} with the cookie of ${sent}`);
    }
    if (path === '/logout' && sent !== null && !as.includes('unknown') && !as.split(' ').includes(sent))
      faults.push(`${who} of ${as} ends ${sent}`);
  }

  vi.stubGlobal('fetch', async (url: string, { credentials, signal }: RequestInit): Promise<Response> => {
    const { pathname: path, searchParams: params } = new URL(url);
    const shown = tabs[Number(params.get('tab'))]!.user();
    let abortedAt = Infinity;
    let isOver = false;
    signal!.throwIfAborted();
    const aborted = new Promise<never>((_, reject) =>
      signal!.addEventListener('abort', () => {
        abortedAt = time.now();
        if (!isOver) seen.aborted++;
        reject(signal!.reason as Error);
      }),
    );
    aborted.catch(() => {});
    const arrived = async (): Promise<Response> => {
      await onTheWay();
      if (abortedAt < Infinity) return aborted;
      const sent = credentials === 'omit' ? null : cookie;
      judge(path, params, sent, shown);
      const [status, user, sets] = answer(path, params, sent);
      await onTheWay();
      if (time.now() > abortedAt + 90) return aborted;
      if (sets !== undefined) cookie = sets;
      return new Response(null, { status, headers: user ? { user } : {} });
    };
    return Promise.race([arrived().finally(() => (isOver = true)), aborted]);
  });

  function openTab(): Tab {
    const id = String(tabs.length);
    const listeners = new Map<string, Set<(event: object) => void>>();
    const call = async (path: string, as: string, method: string): Promise<{ id: string } | undefined> => {
      const response = await session.fetch(`${API}${path}?tab=${id}&as=${as}`, { method, credentials: 'include' });
      if (!response.ok) throw Object.assign(new Error(`${response.status}`), { response, status: response.status });
      const user = response.headers.get('user');
      return user === null ? undefined : { id: user };
    };
    /** Whom this tab signs in right now, also by a login that counts no longer: a sign-out ends that, too. */
    const signingIn: string[] = [];
    let unmount: (() => void) | undefined;
    const tab: Tab = {
      id,
      user: () => (session.getSnapshot().user as { id: string } | undefined)?.id,
      async note() {
        const as = session.getSnapshot().status === 'restoring' ? 'unknown' : (tab.user() ?? 'nobody');
        const found = await call('/note', as, pick('GET', 'POST'));
        if (found && found.id !== tab.user()) faults.push(`${id}: ${tab.user()} is shown the note of ${found.id}`);
      },
      login(name) {
        signingIn.push(name);
        const login = session.login(name);
        void core.authCallsSettled().then(() => signingIn.splice(signingIn.indexOf(name), 1));
        return login;
      },
      logout: () => {
        const known = session.getSnapshot().status === 'restoring' ? 'unknown' : (tab.user() ?? 'unknown');
        return session.logout([known, ...signingIn].join(' '));
      },
      focus() {
        const event = { target: 'window', currentTarget: 'window' };
        listeners.get('focus')?.forEach(listener => listener(event));
      },
      mount() {
        if (unmount) return void (unmount = unmount() as undefined);
        vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) => {
          if (!listeners.has(type)) listeners.set(type, new Set());
          listeners.get(type)!.add(listener);
        });
        vi.stubGlobal('removeEventListener', () => {});
        const stop = inTab(tab, () => session.subscribe(() => {}));
        unmount = () => {
          stop();
          listeners.clear();
        };
      },
    };
    vi.stubGlobal('navigator', { onLine: true, locks: managerOf(tab) });
    const session: Session<{ id: string }, [string], [string]> = createCookieSession<
      [string],
      { id: string },
      [string]
    >({
      login: (name: string) => call('/login', name, 'POST'),
      logout: (as: string) => call('/logout', as, 'POST'),
      whoami: () => call('/whoami', '', 'GET'),
      trustedOrigins: [API],
      credentials: 'include',
      timeout: timeoutMs,
      clock,
    });
    const core = session as unknown as SessionCore;
    tabs.push(tab);
    tab.mount();
    return tab;
  }

  return {
    tabs,
    openTab,
    pass: time.pass,
    seen,
    faults,
    locks,
    cookie: () => cookie,
    calm: () => void (isCalm = true),
  };
}

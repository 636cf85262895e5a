// A page without React: a session over a cookie, and one over tokens that tabs share.
import { RestEndpoint } from '@data-client/rest';
import { createCookieSession, createTokenSession, type SessionSnapshot } from '../../../src/entries/core.js';

interface User {
  readonly id: string;
}

const cookie = createCookieSession({
  login: new RestEndpoint({ path: '/login', method: 'POST' }),
  logout: new RestEndpoint({ path: '/logout', method: 'POST', body: undefined }),
  whoami: new RestEndpoint({ path: '/whoami' }),
  timeout: 1_000,
});

const post = (path: string) => (body: object) =>
  fetch(path, { method: 'POST', body: JSON.stringify(body) }).then(response => {
    if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
    return response.json() as Promise<{ accessToken: string; refreshToken: string }>;
  });

const makeToken = () =>
  createTokenSession({
    login: (as: string) => post('/tokens')({ as }),
    refresh: ({ refreshToken }) => post('/refresh')({ refreshToken }),
    logout: ({ refreshToken }) => post('/end')({ refreshToken }),
    parseTokens: tokens => ({ ...tokens, subject: tokens.accessToken.split(':')[0] }),
    storage: 'local',
    timeout: 3_000,
  });

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const who = (): string | undefined => (cookie.getSnapshot() as SessionSnapshot<User>).user?.id;
let failed = 0;
let stop = () => {};

/** One request of the screen that this page shows. */
async function note(): Promise<void> {
  await cookie.ready();
  const screen = who();
  if (screen === undefined) return;
  await cookie.fetch(`/note?screen=${screen}`).catch(() => void failed++);
}

const kit = {
  cookie,
  who,
  note,
  failed: () => failed,
  show: () => void (stop = cookie.subscribe(() => {})),
  hide: () => stop(),
  async busy(ms: number): Promise<void> {
    const until = performance.now() + ms;
    const loop = async () => {
      while (performance.now() < until) {
        await note();
        await nap(Math.random() * 10);
      }
    };
    await Promise.all([loop(), loop(), loop()]);
  },
  async idle(): Promise<void> {
    await nap(Math.random() * 60);
    for (let count = 0; count < 5; count++) {
      await note();
      await nap(Math.random() * 15);
    }
  },
  /** Messages of other tabs come late, or never. */
  spoil(lateMs: number, lost: number): void {
    const { postMessage } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (this: BroadcastChannel, message: unknown) {
      if (Math.random() < lost) return;
      setTimeout(() => {
        try {
          postMessage.call(this, message);
        } catch {
          // It was closed in between.
        }
      }, Math.random() * lateMs);
    };
  },
  token: undefined as unknown as ReturnType<typeof makeToken>,
  useTokens(): void {
    kit.token = makeToken();
    kit.token.subscribe(() => {});
  },
  /** Some acts of a user in one tab. */
  async act(): Promise<void> {
    for (let count = 1 + Math.random() * 3; count > 0; count--) {
      const chance = Math.random();
      const { token } = kit;
      if (chance < 0.25) await token.login('ada').catch(() => {});
      else if (chance < 0.45) await token.logout().catch(() => {});
      else if (token.getSnapshot().status === 'authenticated') await token.refresh().catch(() => {});
      await nap(Math.random() * 8);
    }
  },
  record: () => localStorage.getItem('data-client-auth'),
};

declare global {
  interface Window {
    kit: typeof kit;
  }
}
window.kit = kit;

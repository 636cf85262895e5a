// A script of Node that uses sessions and then has nothing to do. `unref.test.ts` bundles and runs it.
import { createCookieSession, createSdkSession, createTokenSession } from '../../../src/entries/core.js';

// As a test runner's DOM does: then sessions have channels.
if (process.argv.includes('window')) Object.assign(globalThis, { window: globalThis });
globalThis.fetch = async () => {
  await new Promise(resolve => setTimeout(resolve, 20));
  return Response.json({ id: 'ada' });
};

const tokens = async () => ({ accessToken: 'a', refreshToken: 'r', expiresIn: 3_600, user: { id: 'ada' } });
const whoami = async () => ({ id: 'ada' });
const texts = new Map<string, string>();

const token = createTokenSession({
  login: tokens,
  refresh: { call: tokens, auto: true },
  logout: async () => {},
  trustedOrigins: ['https://api.example.com'],
  storage: {
    get: async () => texts.get('key'),
    set: async text => void texts.set('key', text),
    remove: async () => void texts.delete('key'),
  },
  server: true,
});
const cookie = createCookieSession({
  login: whoami,
  whoami,
  logout: async () => {},
  trustedOrigins: ['https://api.example.com'],
  server: true,
});
const sdk = createSdkSession({ subject: () => 'ada', getToken: async () => 'a', server: true });

for (const session of [token, cookie, sdk]) {
  session.subscribe(() => {});
  await session.ready();
}
await token.login();
await cookie.login();
await Promise.all([1, 2, 3].map(id => token.fetch(`https://api.example.com/${id}`)));
await token.refresh();
// A login waits for the requests of its cookie.
const late = cookie.fetch('https://api.example.com/late');
await new Promise(resolve => setTimeout(resolve, 5));
await Promise.all([cookie.login(), late]);
if (process.argv.includes('logout')) await Promise.all([token.logout(), cookie.logout()]);
process.stdout.write([token, cookie, sdk].map(session => session.getSnapshot().status).join(' '));

import { describe, expect } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { isFirefox } from './support/browserUnderTest.js';
import { NO_FULL_CHROMIUM, openUnwatched } from './support/fullChromium.js';
import { eventually, test } from './support/test.js';

const path = isFirefox ? undefined : findChromium({ full: true });
const missing = isFirefox ? 'Firefox prerenders no page.' : path === undefined && NO_FULL_CHROMIUM;
if (missing) console.warn(`The test of prerendered pages is skipped. ${missing}`);

const APP = '/page?session=cookie';

/** Signs Ada in, has the app prerendered, and once `/ready` says so signs Grace in and goes to the app. */
const START = `<!doctype html><title>Start</title><script type="module">
  const signIn = username => fetch('/cookie/login', { method: 'POST', body: JSON.stringify({ username }) });
  await signIn('ada');
  const rules = Object.assign(document.createElement('script'), { type: 'speculationrules' });
  rules.textContent = JSON.stringify({ prerender: [{ urls: ['${APP}'], eagerness: 'immediate' }] });
  document.head.append(rules);
  while ((await (await fetch('/ready', { cache: 'no-store' })).text()) !== 'yes') await new Promise(resolve => setTimeout(resolve, 50));
  await signIn('grace');
  location.href = '${APP}';
</script>`;

describe.skipIf(missing)(`a prerendered page${missing ? ' (skipped)' : ''}`, () => {
  test('sends nothing before the browser shows it', async ({ startServer }) => {
    const pages: Record<string, string> = { '/start': START, '/ready': 'no' };
    const loads: string[] = [];
    const server = await startServer({ pages, rendered: to => (loads.push(to), '') });
    const sent = () =>
      server.requests.map(({ method, path: to, headers, body }) =>
        [method, to, /-(ada|grace)-/.exec(headers.cookie ?? '')?.[1] ?? JSON.parse(body).username].join(' '),
      );
    const close = await openUnwatched(path!, `${server.url}/start`);
    try {
      await eventually(() => loads, [APP]);
      // Long enough for what a page sends when it is loaded.
      await new Promise(resolve => setTimeout(resolve, 1_000));
      expect(sent()).toEqual(['POST /cookie/login ada']);
      server.requests.length = 0;
      pages['/ready'] = 'yes';
      await eventually(sent, ['POST /cookie/login ada', 'GET /cookie/whoami grace', 'GET /article grace']);
      // The prerendered page itself, and not a second one.
      expect(loads).toEqual([APP]);
    } finally {
      await close();
    }
  });
});

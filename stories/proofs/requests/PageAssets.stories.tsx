import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect } from 'storybook/test';

const PICTURE = '/api/avatar/ada.png';
const SCRIPT = '/assets/12';
const MODULE = '/stories/lines?import=true';
const STYLE = '/theme.css';
const FONT = '/fonts/a.woff2';
const WORKER = '/src/worker';
const ADDRESSES = ['/articles.json', PICTURE, SCRIPT, MODULE, STYLE, FONT, WORKER];

const answer = (type: string) => () => new HttpResponse('', { headers: { 'content-type': type } });

/** Resolves when the page has loaded or refused it. */
const loaded = (element: HTMLElement) =>
  new Promise(resolve => {
    element.onload = element.onerror = resolve;
    document.head.append(element);
  }).finally(() => element.remove());

const worker = () =>
  new Promise(resolve => {
    const started = new Worker(WORKER);
    started.onerror = resolve;
    started.onmessage = () => {
      started.terminate();
      resolve(undefined);
    };
  });

const loads: Record<string, () => Promise<unknown>> = {
  [PICTURE]: () => loaded(Object.assign(new Image(), { src: PICTURE })),
  [SCRIPT]: () => loaded(Object.assign(document.createElement('script'), { src: SCRIPT })),
  [MODULE]: () => import(/* @vite-ignore */ MODULE),
  [STYLE]: () => loaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLE })),
  [FONT]: () => new FontFace('a', `url(${FONT})`).load().catch(() => undefined),
  [WORKER]: worker,
};

const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  render: () => <p>Scripts and pictures are the page’s own. A fetch of the same address is a request of the app.</p>,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The journal records every `fetch` and XMLHttpRequest, whatever its address, and nothing that the page loads by itself. */
export const PageAssets: Story = {
  beforeEach: ({ msw }) => {
    msw.use(
      http.get('/articles.json', () => HttpResponse.json([])),
      http.get(PICTURE, answer('image/png')),
      http.get(SCRIPT, answer('text/javascript')),
      http.get('/stories/lines', answer('text/javascript')),
      http.get(STYLE, answer('text/css')),
      http.get(FONT, answer('font/woff2')),
      http.get(WORKER, () => new HttpResponse('postMessage(1)', { headers: { 'content-type': 'text/javascript' } })),
    );
  },
  play: async ({ step, journal }) => {
    await step('the page loads a picture, scripts, a stylesheet, a font and a worker: none is recorded', async () => {
      await Promise.all(Object.values(loads).map(load => load()));
      await expect(journal).toHaveSent([]);
    });
    await step('the app requests the same addresses: each is recorded', async () => {
      for (const address of ADDRESSES) await fetch(address);
      await expect(journal).toHaveSent(ADDRESSES.map(address => `GET ${address}  same-origin`));
    });
    await step('then the page loads them again', async () => {
      await Promise.all(Object.values(loads).map(load => load()));
      await expect(journal).toHaveSent(ADDRESSES.map(address => `GET ${address}  same-origin`));
    });
  },
};

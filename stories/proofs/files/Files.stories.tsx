import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { AuthImage, useDownload, useUpload } from '../../../src/entries/files.js';
import { CountedPage } from '../../support/CountedPage.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const app = setupTokenApp({ url: ownApi });
const { server, sent } = app;

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>';
const USERS = Array.from({ length: 6 }, (_, user) => `/user/${user}/avatar`);
const THIRTY = Array.from({ length: 30 }, (_, index) => USERS[index % 6]!);
const SIZE = 3 * 2 ** 20;

const fileHandlers = [
  http.get(`${ownApi}/user/:id/avatar`, ({ request, cookies }) => {
    return (
      server.authorize({ request, cookies }) ?? new HttpResponse(SVG, { headers: { 'Content-Type': 'image/svg+xml' } })
    );
  }),
  http.post(`${ownApi}/attachment`, async ({ request, cookies }) => {
    const refusal = server.authorize({ request, cookies });
    return refusal ?? HttpResponse.json({ bytes: (await request.arrayBuffer()).byteLength });
  }),
  http.get(`${ownApi}/report`, ({ request, cookies }) => {
    const headers = { 'Content-Disposition': `attachment; filename="report"; filename*=UTF-8''M%C3%A4rz.csv` };
    return server.authorize({ request, cookies }) ?? new HttpResponse('a,b', { headers });
  }),
];

/** Notes object URLs while a story runs. */
const made: string[] = [];
const revoked: string[] = [];
function watchObjectUrls() {
  made.length = revoked.length = 0;
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = object => {
    const url = createObjectURL.call(URL, object);
    made.push(url);
    return url;
  };
  URL.revokeObjectURL = url => {
    revoked.push(url);
    revokeObjectURL.call(URL, url);
  };
  return () => void Object.assign(URL, { createObjectURL, revokeObjectURL });
}

function Avatars() {
  const [shown, setShown] = useState(0);
  return (
    <>
      {[30, 1, 0].map(count => (
        <button key={count} type="button" onClick={() => setShown(count)}>
          Show {count}
        </button>
      ))}
      <p>
        {THIRTY.slice(0, shown).map((path, index) => (
          <AuthImage key={index} src={ownApi + path} alt={`Avatar ${index}`} width={20} height={20} />
        ))}
      </p>
    </>
  );
}

function Attach() {
  const { upload, progress, error } = useUpload();
  const [answer, setAnswer] = useState('');
  const send = async () => {
    const file = new Blob([new Uint8Array(SIZE)], { type: 'image/png' });
    const response = await upload(`${ownApi}/attachment`, file, { neverRedirects: true });
    setAnswer(`${((await response.json()) as { bytes: number }).bytes} bytes`);
  };
  return (
    <p>
      <button type="button" onClick={() => void send().catch(() => {})}>
        Attach
      </button>
      <progress aria-label="Upload" value={progress ?? 0} />
      <output>{error?.message ?? answer}</output>
    </p>
  );
}

function Report() {
  const { download, progress } = useDownload();
  return (
    <p>
      <button type="button" onClick={() => void download(`${ownApi}/report`)}>
        Download
      </button>
      <output>{progress === 1 && 'saved'}</output>
    </p>
  );
}

const painted = (root: HTMLElement) => [...root.querySelectorAll('img')].filter(({ naturalWidth }) => naturalWidth > 0);
const avatarsOf = (canvasElement: HTMLElement, count: number) =>
  waitFor(() => expect(painted(canvasElement)).toHaveLength(count));

/** Proves that files behind a login are requests of the session: one of each, as the current user, and nothing left behind. */
const meta = {
  title: 'Proofs/Files',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <Avatars />
      <Attach />
      <Report />
    </CountedPage>
  ),
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      msw.use(...fileHandlers);
      return watchObjectUrls();
    },
  ],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Thirty avatars of six users: 6 requests, 6 object URLs, each of which is revoked once, after its last image. */
export const ThirtyAvatars: Story = {
  play: async ({ canvas, canvasElement, step, journal }) => {
    const show = (count: number) => userEvent.click(canvas.getByRole('button', { name: `Show ${count}` }));
    await canvas.findByText('authenticated');
    await step('the reader sees thirty avatars', async () => {
      await show(30);
      await avatarsOf(canvasElement, 30);
      await expect([made.length, revoked.length]).toEqual([6, 0]);
    });
    await step('one is left, then none', async () => {
      await show(1);
      await waitFor(() => expect(revoked).toHaveLength(5));
      await avatarsOf(canvasElement, 1);
      await show(0);
      await waitFor(() => expect([...revoked].sort()).toEqual([...made].sort()));
    });
    await step('six requests with Ada’s token', () =>
      expect(journal).toHaveSent(USERS.map(path => sent.get(path).as('ada'))),
    );
  },
};

/** The same with an expired token: 6 requests, 1 refresh, 6 requests. */
export const ExpiredAvatars: Story = {
  play: async ({ canvas, canvasElement, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s token expires, and the reader sees thirty avatars', async () => {
      server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Show 30' }));
      await avatarsOf(canvasElement, 30);
    });
    await step('six refused requests, one refresh, six requests', () =>
      expect(journal).toHaveSent(
        [
          ...USERS.map(path => sent.get(path).as('ada')),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          ...USERS.map(path => sent.get(path).as('ada', 2)),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** Grace signs in while Ada's avatars are shown: their object URLs are revoked before Grace's name is on the page. */
export const AnotherUser: Story = {
  play: async ({ canvas, canvasElement, step }) => {
    await canvas.findByText('authenticated');
    await userEvent.click(canvas.getByRole('button', { name: 'Show 30' }));
    await avatarsOf(canvasElement, 30);
    await step('Grace signs in', async () => {
      let atFirst: number | undefined;
      const observer = new MutationObserver(() => {
        if (canvasElement.querySelectorAll('img').length === 0) atFirst ??= revoked.length;
      });
      observer.observe(canvasElement, { childList: true, subtree: true });
      await userEvent.click(canvas.getByRole('button', { name: /grace/i }));
      await waitFor(() => expect(atFirst).toBe(6));
      observer.disconnect();
      await expect(made).toHaveLength(6);
    });
  },
};

/** An upload of 3 MB that is refused at first ends at 100 %, and the server has all bytes. */
export const Upload: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s token has expired, and she attaches 3 MB', async () => {
      server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Attach' }));
      await canvas.findByText(`${SIZE} bytes`);
      await expect(canvas.getByRole('progressbar')).toHaveAttribute('value', '1');
    });
    await step('sent twice, with one refresh between', () => {
      const upload = sent.post('/attachment').body(`‹image/png ${SIZE} bytes›`);
      const refresh = sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });
      return expect(journal).toHaveSent([upload.as('ada'), refresh, upload.as('ada', 2)]);
    });
  },
};

/** A download has the name that the server gives it. */
export const DownloadAFile: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    const names: string[] = [];
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      names.push(this.download);
    };
    await step('the reader presses the button', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Download' }));
      await canvas.findByText('saved');
    });
    HTMLAnchorElement.prototype.click = click;
    await step('one request, one file', async () => {
      await expect(journal).toHaveSent([sent.get('/report').as('ada')]);
      await expect(names).toEqual(['März.csv']);
    });
  },
};

import type { Meta, StoryObj } from '@storybook/react-vite';
import { http } from 'msw';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { LoginForm, ResourceForm } from '../../../src/entries/widgets.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { talkHandlers, talkRow, Talks } from '../../support/talks.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const tokens = setupTokenApp({ url: ownApi, rows: [] });
const cookies = setupCookieApp({ rows: [] });
const { sent } = tokens;
const apps = { tokens, cookies };

/** The bodies that the server got, byte by byte, each with its boundary replaced by the same text. */
const bodies: string[] = [];

const recordBodies: StoryStart = ({ msw }) => {
  bodies.length = 0;
  const record = http.all(`${ownApi}/talk*`, async ({ request }) => {
    const boundary = /boundary=(.+)$/.exec(request.headers.get('content-type') ?? '')?.[1];
    if (!boundary) return;
    const bytes = new TextDecoder('latin1').decode(await request.clone().arrayBuffer());
    bodies.push(bytes.replaceAll(boundary, 'BOUNDARY'));
  });
  msw.use(record);
};

const startAs = (name: keyof typeof apps): StoryStart[] => {
  const talks = talkHandlers(apps[name].server);
  return [
    apps[name].start('ada'),
    ({ msw }) => {
      talks.reset();
      msw.use(...talks.handlers);
    },
    recordBodies,
  ];
};

/** A form with a file sends `multipart/form-data`, and what is sent again is the same, byte by byte. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  component: ResourceForm<typeof Talks, 'push' | 'update' | 'partialUpdate'>,
  args: {
    resource: Talks,
    action: 'push',
    onSuccess: fn(),
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'seats', label: 'Seats', type: 'number' },
      { name: 'speaker.email', label: 'E-mail' },
      { name: 'slides', label: 'Slides', type: 'file', multiple: true, accept: '.pdf' },
    ],
  },
  decorators: below(tokens),
  beforeEach: startAs('tokens'),
} satisfies Meta<typeof ResourceForm<typeof Talks, 'push' | 'update' | 'partialUpdate'>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

/** Every byte there is, some of which are no text. */
const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const moths = new File([allBytes], 'moths.pdf', { type: 'application/pdf' });
const engines = new File(['Note G.'], 'engines.pdf', { type: 'application/pdf' });

const multipart = { 'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string };
const body =
  'form-data{title=On moths, seats=, speaker.email=, slides=‹moths.pdf 256 bytes›, slides=‹engines.pdf 7 bytes›}';

async function fillIn(canvas: Canvas) {
  await userEvent.type(await canvas.findByLabelText('Title'), 'On moths');
  await userEvent.upload(canvas.getByLabelText('Slides'), [moths, engines]);
}

const partOf = (name: string, value: string) =>
  `--BOUNDARY\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const partOfFile = (name: string, content: string) =>
  `--BOUNDARY\r\nContent-Disposition: form-data; name="slides"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n${content}\r\n`;

/** What the server gets of the form, byte by byte. */
const expectedBytes = [
  partOf('title', 'On moths'),
  partOf('seats', ''),
  partOf('speaker.email', ''),
  partOfFile('moths.pdf', new TextDecoder('latin1').decode(allBytes)),
  partOfFile('engines.pdf', 'Note G.'),
  '--BOUNDARY--\r\n',
].join('');

/** A talk with its slides is created: each field is a part, as in an HTML form. The file input is empty for the next one. */
export const WithFiles: Story = {
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada writes a talk and chooses two files', async () => {
      await fillIn(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
      await waitFor(() => expect(canvas.getByLabelText<HTMLInputElement>('Slides').files).toHaveLength(0));
    });
    await step('one POST, whose type the browser has set', async () => {
      await expect(journal).toHaveSent([sent.post('/talk').as('ada').body(body)]);
      await expect(journal.entries[0]?.headers).toMatchObject(multipart);
      await expect(bodies).toEqual([expectedBytes]);
    });
  },
};

const changesAFile: Story = {
  args: { action: 'partialUpdate', params: { id: '1' }, initial: talkRow },
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada changes the slides, then the title', async () => {
      await userEvent.upload(await canvas.findByLabelText('Slides'), engines);
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
      await userEvent.type(canvas.getByLabelText('Title'), ' twice{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(2));
    });
    await step('two PATCHes, one of them with a file', async () => {
      await expect(journal).toHaveSent([
        sent.patch('/talk/1').as('ada').body('form-data{slides=‹engines.pdf 7 bytes›}'),
        sent.patch('/talk/1').as('ada').body('form-data{title=On moths twice}'),
      ]);
      for (const { headers } of journal.entries) await expect(headers).toMatchObject(multipart);
    });
  },
};

const replacesWithoutAFile: Story = {
  args: { action: 'update', params: { id: '1' }, initial: talkRow },
  play: async ({ canvas, step, args, hasSent }) => {
    await step('Ada changes the title', async () => {
      await userEvent.type(await canvas.findByLabelText('Title'), ' twice{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    const { slides: _, speaker, ...others } = talkRow;
    const fields = { ...others, title: `${others.title} twice` };
    const parts = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    await hasSent('one PUT, with the fields of the speaker by their dotted names', [
      sent
        .put('/talk/1')
        .as('ada')
        .body(`form-data{${parts.join(', ')}, speaker.name=${speaker.name}, speaker.email=${speaker.email}}`),
    ]);
  },
};

/** The form of a record with a file input sends parts, and no file that was not chosen. */
export const FilesOfARecord: Story = inCases({
  'a PATCH: the changed fields and the new file, if there is one': changesAFile,
  'a PUT: the whole record, but not the address of the file that it has': replacesWithoutAFile,
});

const filesAfterARefresh: Story = {
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada’s token expires while she writes, and she does not notice', async () => {
      await fillIn(canvas);
      tokens.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('the same POST before and after the refresh, byte by byte', async () => {
      await expect(journal).toHaveSent([
        sent.post('/talk').as('ada').body(body),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/talk').as('ada', 2).body(body),
      ]);
      await expect(bodies).toEqual([expectedBytes, expectedBytes]);
    });
  },
};

const filesAfterAStaleCsrfToken: Story = {
  parameters: { cookies: cookies.cookies },
  render: args => (
    <cookies.Provider>
      <ResourceForm {...args} />
    </cookies.Provider>
  ),
  beforeEach: startAs('cookies'),
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada’s CSRF token becomes stale while she writes, and she does not notice', async () => {
      await fillIn(canvas);
      cookies.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('the same POST before and after the new token, byte by byte', async () => {
      await expect(journal).toHaveSent([
        cookies.sent.get('/whoami'),
        cookies.sent.post('/talk').headers(csrf(1)).body(body),
        cookies.sent.get('/csrf'),
        cookies.sent.get('/whoami'),
        cookies.sent.post('/talk').headers(csrf(2)).body(body),
      ]);
      await expect(bodies).toEqual([expectedBytes, expectedBytes]);
    });
  },
};

/** The server refuses the credential: what is sent again is the same, byte by byte. */
export const FilesAfterARefresh: Story = inCases({
  'the access token has expired': filesAfterARefresh,
  'the CSRF token is stale': filesAfterAStaleCsrfToken,
});

/** The session ends as she saves: text and files come back when she signs in again, and no password does. */
export const FilesAfterAnExpiry: Story = {
  args: {
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'website', label: 'Secret', type: 'password' },
      { name: 'slides', label: 'Slides', type: 'file' },
    ],
  },
  render: args => (
    <Authenticated fallback={<LoginForm />}>
      <ResourceForm {...args} />
    </Authenticated>
  ),
  play: async ({ canvas, step, args, hasSent }) => {
    await step('the server revokes Ada’s login while she writes', async () => {
      await userEvent.type(await canvas.findByLabelText('Title'), 'On engines');
      await userEvent.type(canvas.getByLabelText('Secret'), 'moth');
      await userEvent.upload(canvas.getByLabelText('Slides'), engines);
      tokens.server.revoke('ada');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('Your session has ended. Sign in to continue.', { selector: '[role="status"]' });
    });
    await step('she signs in: the text and the file are there, and the password is not', async () => {
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await expect(await canvas.findByLabelText('Title')).toHaveValue('On engines');
      await expect(canvas.getByLabelText('Secret')).toHaveValue('');
      await expect(canvas.getByLabelText<HTMLInputElement>('Slides').files?.[0]).toMatchObject({
        name: 'engines.pdf',
        size: 7,
      });
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('the talk is written once', [
      sent.post('/talk').as('ada').body('form-data{title=On engines, website=moth, slides=‹engines.pdf 7 bytes›}'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.post('/talk').as('ada', 2).body('form-data{title=On engines, website=, slides=‹engines.pdf 7 bytes›}'),
    ]);
  },
};

import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState, type ReactNode } from 'react';
import { expect, userEvent } from 'storybook/test';
import { Collection, Entity, hookifyResource, Invalidate, resource } from '../../../src/index.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { inCases } from '../../support/inCases.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';

class Page extends Entity {
  id = '';
  group = '';
  title = '';
  author = '';
}

const source = resource({ urlPrefix: api, path: '/:group/:id', schema: Page, paginationField: 'page' });
const PageResource = hookifyResource(source, useAda);

/** The server's pages of the list hold two. */
const app = setupRestApi(
  source,
  [
    { id: '1', group: 'engines', title: 'On looms', author: 'ada' },
    { id: '2', group: 'engines', title: 'On steam', author: 'grace' },
    { id: '3', group: 'engines', title: 'On rails', author: 'ada' },
    { id: '4', group: 'engines', title: 'On brakes', author: 'grace' },
  ],
  { pagination: { style: 'page', size: 2 } },
);
const { sent } = app;
const group = 'engines';

/** Rules 5 to 9 of the spec and its table “Endpoints”: how each endpoint is called, what it sends, and what becomes of the store. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Detail() {
  const controller = useController();
  const get = PageResource.useGet();
  const { title } = useSuspense(get, { group, id: '1' });
  return (
    <>
      <p>{`Detail: ${title}`}</p>
      <button type="button" onClick={() => void controller.invalidate(get, { group, id: '1' })}>
        Read the page again
      </button>
    </>
  );
}

/** The titles of the group, and a button for each act. */
function List() {
  const controller = useController();
  const getList = PageResource.useGetList();
  const { push, unshift, getPage } = getList;
  const update = PageResource.useUpdate();
  const partialUpdate = PageResource.usePartialUpdate();
  const titled = async (written: Promise<{ title: string }>) => `Written: ${(await written).title}`;
  const read = async (page: number) => `Read ${(await controller.fetch(getPage, { group, page })).length}`;
  const acts = {
    Replace: () => titled(controller.fetch(update, { group, id: '1' }, { group, title: 'On power looms' })),
    Rename: () => titled(controller.fetch(partialUpdate, { group, id: '1' }, { title: 'On power looms' })),
    Push: () => titled(controller.fetch(push, { group }, { title: 'On cards' })),
    Unshift: () => titled(controller.fetch(unshift, { group }, { title: 'On cards' })),
    'Push two': async () => {
      await controller.fetch(push, { group }, [{ title: 'On cards' }, { title: 'On "quotes" & co.' }]);
      return 'Written: two';
    },
    'Page 2': () => read(2),
    'Page 3': () => read(3),
  };
  return (
    <>
      <ul>
        {useSuspense(getList, { group }).map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      {Object.entries(acts).map(([label, act]) => (
        <ActionButton key={label} label={label} act={act} />
      ))}
      <button type="button" onClick={() => void controller.invalidate(getList, { group })}>
        Read the list again
      </button>
    </>
  );
}

const JSON_TYPE = { 'content-type': 'application/json' };
const READ = sent.get('/engines').as('ada').headers(JSON_TYPE);

/** The user reads the list and clicks: the list changes without being read again. */
const acts = (button: string, says: string, list: string[], line: RequestLine): Story => ({
  render: () => <List />,
  play: async ({ canvas, journal }) => {
    await canvas.findByText('On looms');
    await userEvent.click(canvas.getByRole('button', { name: button }));
    await canvas.findByText(says);
    await expect(titlesOf(canvas)).toEqual(list);
    await expect(journal).toHaveSent([READ, line], { headers: ['content-type'] });
  },
});

/**
 * Rules 5, 6, 8, 9 and the table’s rows: a read or write is called as (params, body), sends one request, and its answer goes into the store.
 * The params fill the path, for `push` and `unshift` the shortened one. `push` and `getPage` append to the list, and `unshift` prepends.
 */
export const EveryEndpoint: Story = inCases({
  'useGet(): GET at the path of the record': {
    render: () => <Detail />,
    play: async ({ canvas, journal }) => {
      await canvas.findByText('Detail: On looms');
      await expect(journal).toHaveSent([sent.get('/engines/1').as('ada')]);
    },
  } satisfies Story,
  'useGetList().push: POST at the shortened path': acts(
    'Push',
    'Written: On cards',
    ['On looms', 'On steam', 'On cards'],
    sent.post('/engines').as('ada').headers(JSON_TYPE).json({ title: 'On cards' }),
  ),
  'useGetList().push with a list as body: one POST of a JSON array, and all records join the list': acts(
    'Push two',
    'Written: two',
    ['On looms', 'On steam', 'On cards', 'On "quotes" & co.'],
    sent
      .post('/engines')
      .as('ada')
      .headers(JSON_TYPE)
      .json([{ title: 'On cards' }, { title: 'On "quotes" & co.' }]),
  ),
  'useGetList().unshift: POST at the shortened path': acts(
    'Unshift',
    'Written: On cards',
    ['On cards', 'On looms', 'On steam'],
    sent.post('/engines').as('ada').headers(JSON_TYPE).json({ title: 'On cards' }),
  ),
  'useGetList().getPage: GET at the shortened path, with the `paginationField`': acts(
    'Page 2',
    'Read 2',
    ['On looms', 'On steam', 'On rails', 'On brakes'],
    sent.get('/engines?page=2').as('ada').headers(JSON_TYPE),
  ),
  'useUpdate(): PUT of all fields': acts(
    'Replace',
    'Written: On power looms',
    ['On power looms', 'On steam'],
    sent.put('/engines/1').as('ada').headers(JSON_TYPE).json({ group: 'engines', title: 'On power looms' }),
  ),
  'usePartialUpdate(): PATCH of one field': acts(
    'Rename',
    'Written: On power looms',
    ['On power looms', 'On steam'],
    sent.patch('/engines/1').as('ada').headers(JSON_TYPE).json({ title: 'On power looms' }),
  ),
});

/** Rule 6: a page that is read twice, and a pushed record that comes with a later page, are in the list once. */
export const PagesMakeNoDuplicates: Story = {
  render: () => <List />,
  play: async ({ canvas, step, hasSent }) => {
    const click = (name: string) => userEvent.click(canvas.getByRole('button', { name }));
    await step('the writer adds a page, and the reader reads the third page of the list, which has it', async () => {
      await canvas.findByText('On looms');
      await click('Push');
      await canvas.findByText('Written: On cards');
      await click('Page 3');
      await canvas.findByText('Read 1');
      await expect(titlesOf(canvas)).toEqual(['On looms', 'On steam', 'On cards']);
    });
    await step('the reader reads the second page twice', async () => {
      await click('Page 2');
      await canvas.findByText('Read 2');
      await click('Page 2');
      await canvas.findByText('Read 2');
      await expect(titlesOf(canvas)).toEqual(['On looms', 'On steam', 'On cards', 'On rails', 'On brakes']);
    });
    await hasSent('each page was read', [
      sent.get('/engines').as('ada'),
      sent.post('/engines').as('ada').json({ title: 'On cards' }),
      sent.get('/engines?page=3').as('ada'),
      sent.get('/engines?page=2').as('ada'),
      sent.get('/engines?page=2').as('ada'),
    ]);
  },
};

function PagesOf({ author }: { author: string }) {
  const controller = useController();
  const getList = PageResource.useGetList();
  const list = useSuspense(getList, { group, author, limit: 1 });
  return (
    <>
      <p>{`${author}: ${list.map(({ title }) => title).join(', ')}`}</p>
      <ActionButton
        label={`More of ${author}`}
        act={async () =>
          `Read ${(await controller.fetch(getList.getPage, { group, author, limit: 1, page: 2 })).length}`
        }
      />
    </>
  );
}

/**
 * Rules 2, 3 and 6: a param that is not a token of the path is a search parameter, and so is the `paginationField` of `getPage`. The page joins
 * the list of the same params, and no other list of the resource.
 */
export const GetPageJoinsItsOwnList: Story = {
  render: () => (
    <>
      <PagesOf author="ada" />
      <PagesOf author="grace" />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the first page of each author', async () => {
      await canvas.findByText('ada: On looms');
      await canvas.findByText('grace: On steam');
    });
    await step('more of Ada’s join Ada’s list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More of ada' }));
      await canvas.findByText('Read 1');
      await canvas.findByText('ada: On looms, On rails');
      await expect(canvas.getByText('grace: On steam')).toBeInTheDocument();
    });
    await hasSent('one GET for each list, one for the page', [
      sent.get('/engines?author=ada&limit=1').as('ada'),
      sent.get('/engines?author=grace&limit=1').as('ada'),
      sent.get('/engines?author=ada&limit=1&page=2').as('ada'),
    ]);
  },
};

function Opened() {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Detail />;
  return (
    <button type="button" onClick={() => setIsOpen(true)}>
      Open the first
    </button>
  );
}

/** `Entity.pk()` defaults to the `id`: a record of the list is found by its id without a request, and a change of it is shown in both places. */
export const TheKeyIsTheId: Story = {
  render: () => (
    <>
      <List />
      <Opened />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the list, and opens a page of it', async () => {
      await canvas.findByText('On looms');
      await userEvent.click(canvas.getByRole('button', { name: 'Open the first' }));
      await canvas.findByText('Detail: On looms');
    });
    await step('the writer renames it, and both places change', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Detail: On power looms');
      await expect(titlesOf(canvas)).toEqual(['On power looms', 'On steam']);
    });
    await hasSent('the list is read, the page alone is not', [
      sent.get('/engines').as('ada'),
      sent.patch('/engines/1').as('ada').json({ title: 'On power looms' }),
    ]);
  },
};

const readsAgain = (ui: ReactNode, button: string, path: string): Story => ({
  beforeEach: ({ msw }) => {
    let reads = 0;
    const page = () => ({ id: '1', title: `Reading ${++reads}` });
    msw.use(
      http.get(`${api}/engines/1`, () => HttpResponse.json(page())),
      http.get(`${api}/engines`, () => HttpResponse.json([page()])),
    );
  },
  render: () => <>{ui}</>,
  play: async ({ canvas, journal }) => {
    await canvas.findByText(/Reading 1$/);
    await userEvent.click(canvas.getByRole('button', { name: button }));
    await canvas.findByText(/Reading 2$/);
    await expect(journal).toHaveSent([sent.get(path).as('ada'), sent.get(path).as('ada')]);
  },
});

/** `Controller.invalidate`: what is on the screen is read again, and the reader sees the new answer of the server (the spec, under “Endpoints”). */
export const InvalidateReadsAgain: Story = inCases({
  'with useGet(): two GETs of the record': readsAgain(<Detail />, 'Read the page again', '/engines/1'),
  'with useGetList(): two GETs of the list': readsAgain(<List />, 'Read the list again', '/engines'),
});

function Delete() {
  const controller = useController();
  const remove = PageResource.useDelete();
  return (
    <ActionButton
      label="Delete"
      act={async () => {
        const { title, group } = await controller.fetch(remove, { group: 'engines', id: '1' });
        return `Deleted “${title}” of the group “${group}”`;
      }}
    />
  );
}

/** Without an answer the server answers 204. */
const deletes = (result: string, answer?: object): Story => ({
  beforeEach: ({ msw }) => {
    if (answer) msw.use(http.delete(`${api}/engines/1`, () => HttpResponse.json(answer)));
  },
  render: () => (
    <>
      <List />
      <Delete />
    </>
  ),
  play: async ({ canvas, journal }) => {
    await canvas.findByText('On looms');
    await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
    await canvas.findByText(result);
    await expect(titlesOf(canvas)).toEqual(['On steam']);
    await expect(journal).toHaveSent([sent.get('/engines').as('ada'), sent.delete('/engines/1').as('ada')]);
  },
});

/** Rule 7: one DELETE without a body, and the record leaves the list. An answer with keys is the result, else the params are. */
export const DeleteGivesTheAnswerOrTheParams: Story = inCases({
  'the answer has the title, and not the group': deletes('Deleted “On looms” of the group “”', {
    id: '1',
    title: 'On looms',
  }),
  'no answer: the params have the group, and not the title': deletes('Deleted “” of the group “engines”'),
  'an answer without keys counts as none': deletes('Deleted “” of the group “engines”', {}),
});

/** Rule 7: a screen that shows the deleted record reads it again, and shows that it is gone. */
export const DeleteInvalidatesTheDetail: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Not Found/] },
  render: () => (
    <>
      <Detail />
      <Delete />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the page', async () => {
      await canvas.findByText('Detail: On looms');
    });
    await step('the writer deletes it, and the screen shows that it is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(/^404: (\S+: )?Not Found$/);
    });
    await hasSent('the DELETE, then one more GET', [
      sent.get('/engines/1').as('ada'),
      sent.delete('/engines/1').as('ada'),
      sent.get('/engines/1').as('ada'),
    ]);
  },
};

/** The kind of an endpoint's schema, in the spec's words, found by identity. */
function schemaInWords(schema: unknown, list: { schema: { push: unknown; unshift: unknown } }): string {
  if (schema === Page) return 'the resource schema';
  if (schema === list.schema) return 'array of the resource schema';
  if (schema === list.schema.push) return 'useGetList().schema.push';
  if (schema === list.schema.unshift) return 'useGetList().schema.unshift';
  if (schema instanceof Invalidate) return `Invalidate of ${schema.key}`;
  if (schema instanceof Collection)
    return `Collection that merges 1, 2 with 2, 3 to ${String(schema.merge(['1', '2'], ['2', '3'])).replaceAll(',', ', ')}`;
  return 'something else';
}

function Table() {
  const getList = PageResource.useGetList();
  const hooks = {
    'useGet()': PageResource.useGet(),
    'useGetList()': getList,
    'useGetList().push': getList.push,
    'useGetList().unshift': getList.unshift,
    'useGetList().getPage': getList.getPage,
    'useUpdate()': PageResource.useUpdate(),
    'usePartialUpdate()': PageResource.usePartialUpdate(),
    'useDelete()': PageResource.useDelete(),
  };
  return (
    <table>
      <thead>
        <tr>
          <th>Hook</th>
          <th>Method</th>
          <th>Path</th>
          <th>Schema</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(hooks).map(([hook, endpoint]) => (
          <tr key={hook}>
            <td>{hook}</td>
            <td>{endpoint.method}</td>
            <td>{endpoint.path}</td>
            <td>{schemaInWords(endpoint.schema, getList)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The whole table, read from the endpoints themselves, schemas included. Rendering a hook sends nothing. */
export const TheWholeTable: Story = {
  render: () => <Table />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the spec’s table', async () => {
      await canvas.findByText('useGet()');
      await expect(
        canvas.getAllByRole('row').map(row => [...row.children].map(cell => cell.textContent).join(' | ')),
      ).toEqual([
        'Hook | Method | Path | Schema',
        'useGet() | GET | /:group/:id | the resource schema',
        'useGetList() | GET | /:group | array of the resource schema',
        'useGetList().push | POST | /:group | useGetList().schema.push',
        'useGetList().unshift | POST | /:group | useGetList().schema.unshift',
        'useGetList().getPage | GET | /:group | Collection that merges 1, 2 with 2, 3 to 1, 2, 3',
        'useUpdate() | PUT | /:group/:id | the resource schema',
        'usePartialUpdate() | PATCH | /:group/:id | the resource schema',
        `useDelete() | DELETE | /:group/:id | Invalidate of ${Page.key}`,
      ]);
    });
    await hasSent('no request', []);
  },
};

import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useRef, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleResource, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const source = articleResource();
const ArticleResource = hookifyResource(source, useAda);
const app = setupRestApi(source, rows);
const { sent } = app;

function Detail({ params }: { params: { id?: string | undefined } | null }) {
  // Typed code cannot ask without the id; data that came from elsewhere can.
  const article = useSuspense(ArticleResource.useGet(), params as { id: string });
  return <p>{article.title}</p>;
}

/** Rule 10 of the spec, and what happens to params that no address can be made of: a clear sentence, and no request. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const missing =
  'GET /article/:id needs a value for `id`, but got undefined. Pass { id: … }, or null to wait until it is known.';
const empty =
  'GET /article/:id needs a value for `id`, but got an empty string. Pass { id: … }, or null to wait until it is known.';

/** The table says “one value per `:param`”: without the value the address would be another one, so nothing is sent. */
export const MissingParam: Story = {
  parameters: {
    expectedConsoleErrors: [/^MissingParamError: GET \/article\/:id needs a value for `id`, but got undefined\./],
  },
  render: () => <Detail params={{}} />,
  play: async ({ canvas, step, journal }) => {
    await step('the boundary shows which param is missing', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(`400: ${missing}`);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

/** An empty text is no value: `/article/` is not the address of an article. */
export const EmptyParam: Story = {
  parameters: {
    expectedConsoleErrors: [/^MissingParamError: GET \/article\/:id needs a value for `id`, but got an empty string\./],
  },
  render: () => <Detail params={{ id: '' }} />,
  play: async ({ canvas, step, journal }) => {
    await step('the boundary shows which param is missing', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(`400: ${empty}`);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

function Writes() {
  const controller = useController();
  const partialUpdate = ArticleResource.usePartialUpdate();
  const remove = ArticleResource.useDelete();
  return (
    <>
      <ActionButton
        label="Rename nothing"
        act={async () => {
          await controller.fetch(partialUpdate, {} as { id: string }, { title: 'On knocking' });
          return 'Renamed';
        }}
      />
      <ActionButton
        label="Delete nothing"
        act={async () => {
          await controller.fetch(remove, { id: '' });
          return 'Deleted';
        }}
      />
    </>
  );
}

/** A write without its param is refused too: a DELETE must not be sent to the address of the list. */
export const MissingParamOfAWrite: Story = {
  render: () => <Writes />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer sees which param is missing', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename nothing' }));
      await canvas.findByText(/^MissingParamError: PATCH \/article\/:id needs a value for `id`, but got undefined\./);
      await userEvent.click(canvas.getByRole('button', { name: 'Delete nothing' }));
      await canvas.findByText(
        /^MissingParamError: DELETE \/article\/:id needs a value for `id`, but got an empty string\./,
      );
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

class File extends Entity {
  id = '';
}

const FileResource = hookifyResource(resource({ urlPrefix: api, path: '/:owner/*file', schema: File }), useAda);

function Files() {
  const controller = useController();
  const get = FileResource.useGet();
  const getList = FileResource.useGetList();
  return (
    <>
      <ActionButton
        label="Read no file"
        act={async () => (await controller.fetch(get, { owner: 'ada', file: [] })).id}
      />
      <ActionButton
        label="Read no segment"
        act={async () => (await controller.fetch(get, { owner: 'ada', file: ['notes', ''] })).id}
      />
      <ActionButton
        label="List of nobody"
        act={async () => String((await controller.fetch(getList, { owner: '' })).length)}
      />
    </>
  );
}

/** A `*wildcard` needs at least one segment, and no segment may be empty. A list needs the params of its shortened path. */
export const MissingWildcard: Story = {
  render: () => <Files />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees what is missing, for each address', async () => {
      for (const name of ['Read no file', 'Read no segment', 'List of nobody'])
        await userEvent.click(await canvas.findByRole('button', { name }));
      await waitFor(() =>
        expect(canvas.getAllByText(/^MissingParamError: GET \/:owner\/\*file needs a value for `file`/)).toHaveLength(
          2,
        ),
      );
      await canvas.findByText(/^MissingParamError: GET \/:owner needs a value for `owner`, but got an empty string\./);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

function Later() {
  const [id, setId] = useState<string>();
  const article = useSuspense(ArticleResource.useGet(), id === undefined ? null : { id });
  return (
    <>
      <p>{article?.title ?? 'Nothing chosen'}</p>
      <button type="button" onClick={() => setId('1')}>
        Choose the first
      </button>
    </>
  );
}

/** With `null` for the params, nothing is fetched until they are known, as the error message says. */
export const NullWaits: Story = {
  render: () => <Later />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader has not chosen an article', async () => {
      await canvas.findByText('Nothing chosen');
    });
    await step('the reader chooses an article, and sees it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Choose the first' }));
      await canvas.findByText('On signing in');
    });
    await step('one GET, after the choice', () => expect(journal).toHaveSent([sent.get('/article/1').as('ada')]));
  },
};

const outside =
  'was called outside a render. Call it in a component or hook, keep the endpoint it returns, and use that in handlers and effects.';

/** Rule 10: a hook may not be called in a handler. The error names the hook and the remedy. */
export const HookInAHandler: Story = {
  render: function Handler() {
    return (
      <ActionButton
        label="Ask for an endpoint"
        // The mistake that this story shows.
        act={async () => ArticleResource.useGet().path}
      />
    );
  },
  play: async ({ canvas, step, journal }) => {
    await step('the error message is shown', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Ask for an endpoint' }));
      await canvas.findByText(`Error: useGet() ${outside}`);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

/** Rule 10 says “this includes creating endpoints for `Controller.fetch` calls”: the write is not sent either. */
export const HookForControllerFetch: Story = {
  render: function Handler() {
    const controller = useController();
    return (
      <ActionButton
        label="Rename"
        // The mistake that this story shows.
        act={async () =>
          (await controller.fetch(ArticleResource.usePartialUpdate(), { id: '1' }, { title: 'On knocking' })).title
        }
      />
    );
  },
  play: async ({ canvas, step, journal }) => {
    await step('the error message is shown', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename' }));
      await canvas.findByText(`Error: usePartialUpdate() ${outside}`);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

function InAnEffect() {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    try {
      // The mistake that this story shows.
      ArticleResource.useDelete();
    } catch (error) {
      sentence.current?.append((error as Error).message);
    }
  }, []);
  return <p ref={sentence} />;
}

/** Rule 10: an effect runs after the render, so a hook may not be called there either. */
export const HookInAnEffect: Story = {
  render: () => <InAnEffect />,
  play: async ({ canvas, step, journal }) => {
    await step('the error message is shown', async () => {
      await canvas.findByText(`useDelete() ${outside}`);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

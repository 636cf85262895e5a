// What a user does under each of the three providers. The file of a provider lists the requests of each flow.
import type { StoryContext } from '@storybook/react-vite';
import type { ComponentType } from 'react';
import { expect, userEvent } from 'storybook/test';
import { Authenticated } from '../../src/index.js';
import type { RequestLine } from '../../src/testing/index.js';
import { ArticlesDemo, AuthStatus, type ArticleHooks } from './ArticlesDemo.js';
import type { StoryStart } from './StoryStart.js';

type Context = Pick<StoryContext, 'canvas' | 'step' | 'journal'>;
type Canvas = StoryContext['canvas'];

/** All requests of a flow, and the title of the step that compares them. */
interface Requests {
  title: string;
  lines: RequestLine[];
}

interface Options {
  /** One more check at the end of the last action. */
  andSees?: (canvas: Canvas) => Promise<unknown>;
}

interface ProviderApp {
  Articles: ArticleHooks;
  start: (personId?: string) => StoryStart;
  articles: { failNext: (failure: 'network') => void };
}

/** React writes the error of a boundary to the console. */
export const refusedInConsole = /^NetworkError: (\S+: )?Unauthorized/;

const seesHerArticles = ({ canvas, step }: Context) =>
  step('Ada sees her articles', async () => {
    await canvas.findByText('On signing in');
  });

const sends = ({ step, journal }: Context, { title, lines }: Requests) =>
  step(title, () => expect(journal).toHaveSent(lines));

const isStatus = (canvas: Canvas, status: string) =>
  expect(canvas.getByRole('status')).toHaveTextContent(new RegExp(`^${status}$`));

const renamesTheFirst = (canvas: Canvas) => userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));

/** The page of these stories: the articles, with sign-in buttons above them. */
export const articlesPage = (app: ProviderApp, Buttons: ComponentType) => (
  <>
    <AuthStatus />
    <Buttons />
    <ArticlesDemo articles={app.Articles} />
  </>
);

/** The same page with the articles behind a gate. */
export const gatedPage = (app: ProviderApp, Buttons: ComponentType) => (
  <>
    <AuthStatus />
    <Buttons />
    <Authenticated fallback={<p>Nobody is here.</p>}>
      <ArticlesDemo articles={app.Articles} />
    </Authenticated>
  </>
);

export const readsTheList = (requests: Requests) => ({
  play: async (context: Context) => {
    await seesHerArticles(context);
    await sends(context, requests);
  },
});

export const signedOutBehindAGate = (app: ProviderApp, Buttons: ComponentType, requests: Requests) => ({
  beforeEach: app.start(),
  args: { children: gatedPage(app, Buttons) },
  play: async (context: Context) => {
    const { canvas, step } = context;
    await step('the reader sees that no user is signed in', async () => {
      await canvas.findByText('Nobody is here.');
      await isStatus(canvas, 'anonymous');
    });
    await sends(context, requests);
  },
});

export const refusedWhileSignedOut = (app: ProviderApp, requests: Requests, { andSees }: Options = {}) => ({
  parameters: { expectedConsoleErrors: [refusedInConsole] },
  beforeEach: app.start(),
  play: async (context: Context) => {
    const { canvas, step } = context;
    await step('the server refuses the signed-out reader', async () => {
      await canvas.findByText('Refused: 401');
      await isStatus(canvas, 'anonymous');
      await andSees?.(canvas);
    });
    await sends(context, requests);
  },
});

export const switchesTheUser = (requests: Requests) => ({
  play: async (context: Context) => {
    const { canvas, step } = context;
    await seesHerArticles(context);
    await step('Grace signs in and sees her articles, and none of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await sends(context, requests);
  },
});

/** `act` changes the server, and `title` describes the change. The rename after it works, and the user notices nothing. */
export const renamesAfter = (
  { title, act }: { title: string; act: () => void },
  requests: Requests,
  { andSees }: Options = {},
) => ({
  play: async (context: Context) => {
    const { canvas, step } = context;
    await seesHerArticles(context);
    await step(`${title}, and she renames an article`, async () => {
      act();
      await renamesTheFirst(canvas);
      await canvas.findByText('On knocking');
      await isStatus(canvas, 'authenticated');
      await andSees?.(canvas);
    });
    await sends(context, requests);
  },
});

export const offline = (app: ProviderApp, requests: Requests) => ({
  play: async (context: Context) => {
    const { canvas, step } = context;
    await step('Ada sees her articles; then the network fails, and so does her rename', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext('network');
      await renamesTheFirst(canvas);
      await canvas.findByText(/^Renamed: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      await isStatus(canvas, 'authenticated');
    });
    await step('the network works again, and she renames the article', async () => {
      await renamesTheFirst(canvas);
      await canvas.findByText('On knocking');
    });
    await sends(context, requests);
  },
});

export const expiredForGood = (
  { title, act }: { title: string; act: () => void },
  requests: Requests,
  { andSees }: Options = {},
) => ({
  parameters: { expectedConsoleErrors: [refusedInConsole] },
  play: async (context: Context) => {
    const { canvas, step } = context;
    await seesHerArticles(context);
    await step(`${title}; her rename ends the session`, async () => {
      act();
      await renamesTheFirst(canvas);
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await andSees?.(canvas);
    });
    await sends(context, requests);
  },
});

export const writesAndLoadsMore = (requests: Requests) => ({
  play: async (context: Context) => {
    const { canvas, step } = context;
    await seesHerArticles(context);
    await step('she writes a third article, which is at the end', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
    });
    await step('she loads the second page, which has that article too: it is shown once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More' }));
      await canvas.findByText('Second page read');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
    });
    await sends(context, requests);
  },
});

import { composeStory } from '@storybook/react-vite';
import { setupServer } from 'msw/node';
import { createElement } from 'react';
import { expect } from 'vitest';
import { createTokenSession } from '../../src/index.js';
import * as addon from '../../src/storybook/preview.js';
import { createRequestJournal, journalMatchers, tokenAuthHandlers } from '../../src/testing/index.js';
import { testMistakes } from './support/mistakes.js';
import { login, render } from './support/render.js';

expect.extend(journalMatchers);

const signedIn = { auth: { session: () => createTokenSession({ login, server: true }), as: 'ada' } };
const Story = composeStory({ render: () => createElement('p'), parameters: signedIn }, { title: 'Articles' }, addon);

const people = [{ id: 'ada', name: 'ada', password: 'lovelace' }];

testMistakes([
  {
    mistake: 'the worker was not started',
    make: () => expect(createRequestJournal(setupServer())).toHaveSent(['GET /article  same-origin']),
    where: 'thrown',
    says: 'The worker has not been started: msw has reported no request to this journal. Await worker.start() in the `beforeAll` of the preview, or call server.listen() in Node. If you do, make the journal of the same worker. Where a story imports the preview, two copies of it are loaded after an edit: import the worker and the journal from a module of its own.',
  },
  {
    mistake: 'the worker in place of its journal',
    make: () => expect(setupServer()).toHaveSent([]),
    where: 'thrown',
    says: 'toHaveSent compares a request journal: pass what createRequestJournal(worker) returned to expect().',
  },
  {
    mistake: 'a user whom the mock server does not know',
    make: () => tokenAuthHandlers({ url: 'https://api.example.com', people }).signIn('grace'),
    where: 'thrown',
    says: 'No mock person has the id "grace": add it to `people` of tokenAuthHandlers.',
  },
  {
    mistake: 'a composed story that is rendered, and not run',
    make: () => render(createElement(Story)),
    where: 'thrown',
    says: 'No user is signed in for this story, because its loaders have not run. Call await Story.run() of the composed story, and do not render <Story />.',
  },
]);

import { useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { Entity, resource } from '../../../src/index.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { StaticTokenEndpoint } from '../../mechanisms/shown/StaticTokenEndpoint.js';
import { TracedTokenEndpoint } from '../../mechanisms/shown/TracedTokenEndpoint.js';
import { api } from '../../support/articles.js';
import { articlesBy, Titles } from '../../support/PlainArticles.js';
import { titlesOf } from '../../support/titlesOf.js';
import { keepInClass, setupTokenLogin, SignIn } from './setupTokenLogin.js';

const { adaSignsIn, meta: loginMeta, sent, server } = setupTokenLogin();
const articles = articlesBy(StaticTokenEndpoint);

/** Proves how the classes of several resources share one mechanism. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  ...loginMeta,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

class Note extends Entity {
  id = '';
  text = '';
}

const NoteResource = resource({ urlPrefix: api, path: '/note/:id', schema: Note, Endpoint: TracedTokenEndpoint });
const notes = resourceHandlers(NoteResource, [{ id: '1', text: 'Buy cards' }], { auth: server });

function Notes() {
  return <p>{useSuspense(NoteResource.getList).map(({ text }) => text)}</p>;
}

/**
 * “Organization”: resources that share a mechanism extend one base class. One login serves all of them, and a
 * subclass adds its own headers by `super`.
 */
export const OneBaseClass: Story = {
  beforeEach: ({ msw }) => {
    notes.reset();
    msw.use(...notes.handlers);
  },
  render: () => (
    <SignIn store={keepInClass}>
      <Titles by={articles.getList} />
      <Notes />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in once, and sees articles and notes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('Buy cards');
      await expect(titlesOf(canvas)).toHaveLength(4);
    });
    await step('both resources carry her token', () =>
      expect(journal).toHaveSent(
        [adaSignsIn, sent.get('/article').as('ada'), sent.get('/note').as('ada').headers({ 'x-trace': 'notes' })],
        { headers: ['x-trace'] },
      ),
    );
  },
};

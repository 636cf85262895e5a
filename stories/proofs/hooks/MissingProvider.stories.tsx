import type { Meta, StoryObj } from '@storybook/react-vite';
import { Component, type ReactNode } from 'react';
import { expect } from 'storybook/test';
import { useAuth, useAuthInit, useEndpoint } from '../../../src/index.js';
import { articleHooks, articleResource } from '../../support/articles.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const Articles = articleHooks();
const ArticleResource = articleResource();

/** Shows the message of an error that was thrown below it. */
class Sentence extends Component<{ children: ReactNode }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error ? <p role="alert">{error.message}</p> : this.props.children;
  }
}

const uses: Record<string, () => unknown> = {
  useAuth: () => useAuth(),
  useAuthInit: () => useAuthInit(),
  useEndpoint: () => useEndpoint(ArticleResource.get),
  hookified: () => Articles.useGetList(),
};

function Using({ use }: { use: () => unknown }) {
  use();
  return <p>Rendered.</p>;
}

/** A hook of the kit without a provider above it throws a `MissingProviderError`, whose sentence names the hook and the remedy. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: {
    ...requestsOnly,
    expectedConsoleErrors: [
      /MissingProviderError: use(Auth|AuthInit|Endpoint|GetList)\(\) found no auth provider above it/,
    ],
  },
  render: () => (
    <>
      {Object.entries(uses).map(([name, use]) => (
        <Sentence key={name}>
          <Using use={use} />
        </Sentence>
      ))}
    </>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Each error message is shown, and nothing is sent. */
export const MissingProviderNamesTheRemedy: Story = {
  play: async ({ canvas, step, journal }) => {
    const remedy =
      'found no auth provider above it. Put the component below a <TokenAuthProvider>, <CookieAuthProvider> or <ContextTokenProvider>.';
    await step('four uses, four error messages', async () => {
      const sentences = (await canvas.findAllByRole('alert')).map(({ textContent }) => textContent);
      await expect(sentences).toEqual([
        `useAuth() ${remedy}`,
        `useAuthInit() ${remedy}`,
        `useEndpoint() ${remedy}`,
        `useGetList() ${remedy}`,
      ]);
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};

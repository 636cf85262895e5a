// @vitest-environment jsdom
import { composeStories, setProjectAnnotations } from '@storybook/react-vite';
import { screen } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import * as addon from 'data-client-auth/storybook/preview';
import preview from '../consumer/storybook/.storybook/preview';
import * as stories from '../consumer/storybook/src/Articles.stories';

// In place of the service worker: the same handlers, in Node.
vi.mock('msw/browser', async () => {
  const { setupServer } = await import('msw/node');
  const setupWorker = (...handlers: Parameters<typeof setupServer>) => {
    const server = setupServer(...handlers);
    return Object.assign(server, { start: async () => server.listen({ onUnhandledRequest: 'error' }) });
  };
  return { setupWorker };
});

const project = setProjectAnnotations([addon, preview]);
beforeAll(project.beforeAll);

const { SignedOut, OfAda, OfGrace } = composeStories(stories);

test('Ada sees her article, and none of Grace', async () => {
  await OfAda.run();
  await screen.findByText('On signing in');
  expect(screen.queryByText('On finding moths')).toBeNull();
});

test('the play of a story passes', () => OfGrace.run());

test('the next story starts signed out', async () => {
  await SignedOut.run();
  await screen.findByLabelText('User name');
});

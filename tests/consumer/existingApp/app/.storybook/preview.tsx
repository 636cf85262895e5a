import { CacheProvider } from '@data-client/react';
import type { Preview } from '@storybook/react-vite';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { handlers } from '../src/mocks';

export default {
  loaders: [mswLoader()],
  decorators: [Story => <CacheProvider>{Story()}</CacheProvider>],
  parameters: {
    msw: handlers,
  },
} satisfies Preview;

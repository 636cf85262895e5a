import { AsyncBoundary } from '@data-client/react';
import type { Decorator } from '@storybook/react-vite';
import { TokenAuthProvider, type TokenAuthProviderProps } from '../../src/index.js';

/** The decorator of stories about hooks: a provider of this session, and one boundary for loading and errors. */
export const inTokenProvider =
  (session: TokenAuthProviderProps['session']): Decorator =>
  Story => (
    <TokenAuthProvider session={session}>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <Story />
      </AsyncBoundary>
    </TokenAuthProvider>
  );

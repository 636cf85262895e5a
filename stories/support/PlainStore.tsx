import { AsyncBoundary, CacheProvider, type Manager } from '@data-client/react';
import type { Decorator } from '@storybook/react-vite';
import type { ReactNode } from 'react';

/** data-client's own store without a session, and one boundary for loading and errors. */
export function PlainStore({ managers, children }: { managers?: Manager[]; children: ReactNode }) {
  return (
    <CacheProvider devButton={null} {...(managers && { managers })}>
      <AsyncBoundary fallback={<p>Fetching…</p>} errorComponent={Refusal}>
        {children}
      </AsyncBoundary>
    </CacheProvider>
  );
}

/** The decorator of stories about the REST layer alone. */
export const inPlainStore: Decorator = Story => (
  <PlainStore>
    <Story />
  </PlainStore>
);

function Refusal({ error }: { error: Error & { status?: number } }) {
  return <p role="alert">{`${error.status}: ${error.message}`}</p>;
}

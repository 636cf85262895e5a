/** @jsxRuntime classic */
import React from 'react';
import { styled } from 'storybook/theming';
import type { PanelSource } from './PanelNews.js';

const Empty = styled.div(({ theme }) => ({
  padding: '24px 16px',
  maxWidth: 620,
  margin: '0 auto',
  lineHeight: '20px',
  '& code': { fontFamily: theme.typography.fonts.mono, fontSize: theme.typography.size.s1 },
  '& p': { margin: '0 0 8px' },
}));

/** What the panel says while it has no row. */
export function EmptyPanel({ source }: { source: PanelSource }) {
  if (source === 'not-started') {
    return (
      <Empty>
        <p>
          <strong>The worker has not been started.</strong>
        </p>
        <p>
          The kit has sent requests in this story, and <code>msw</code> has reported none of them. Start the worker in
          your preview, in <code>beforeAll</code>:{' '}
          <code>{"await worker.start({ serviceWorker: { url: './mockServiceWorker.js' } })"}</code>. If another worker
          is started there, make the journal of that one. If a story imports the preview, two copies of it are loaded
          after an edit: let both import the worker from a module of its own.
        </p>
      </Empty>
    );
  }
  if (source === 'journal') {
    return (
      <Empty>
        <p>This story has sent no request yet. Each one is listed here as it leaves the page.</p>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>
        <strong>There is nothing to listen to in this story.</strong>
      </p>
      <p>
        The panel shows what <code>msw</code> sees. Add <code>msw-storybook-addon</code> (3 or later), or make a journal
        and give it in your preview:{' '}
        <code>{'parameters: { requests: { journal: createRequestJournal(worker) } }'}</code>, from{' '}
        <code>data-client-auth/testing</code>.
      </p>
    </Empty>
  );
}

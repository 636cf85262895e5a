/** @jsxRuntime classic */
// Storybook's own React renders the panel and has no JSX runtime to import, so its files use the classic runtime.
import React, { useEffect, useState, useSyncExternalStore } from 'react';
import { styled } from 'storybook/theming';
import type { PanelStore } from './createPanelStore.js';
import { countRequests, describeStatus, type PanelSession, type PanelSource } from './PanelNews.js';
import { RequestTable, toneColor, Unseen, useStickToEnd } from './RequestTable.js';

const Frame = styled.section(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  height: '100%',
  background: theme.background.content,
  color: theme.color.defaultText,
  fontSize: theme.typography.size.s2,
}));

const Head = styled.header(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 16px',
  padding: '8px 12px',
  borderBottom: `1px solid ${theme.appBorderColor}`,
  '& ul': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '4px 12px',
    listStyle: 'none',
    margin: 0,
    padding: 0,
    flex: '1 1 auto',
  },
}));

const Sum = styled.span(({ theme }) => ({ fontWeight: theme.typography.weight.bold }));

const ClearButton = styled.button(({ theme }) => ({
  font: 'inherit',
  color: 'inherit',
  background: 'transparent',
  border: `1px solid ${toneColor(theme, 'muted')}`,
  borderRadius: theme.input.borderRadius,
  padding: '3px 10px',
  cursor: 'pointer',
  '&:focus-visible': { outline: `2px solid ${toneColor(theme, 'info')}`, outlineOffset: 2 },
}));

function Sessions({ sessions }: { sessions: readonly PanelSession[] }) {
  return (
    <ul aria-label="Sessions now">
      {sessions.map((session, index) => (
        <li key={session.id}>
          Session{sessions.length > 1 && ` ${index + 1}`}: <strong>{describeStatus(session)}</strong>
        </li>
      ))}
    </ul>
  );
}

/** The requests panel: all requests of the story, and the current status of its sessions. */
export function RequestsPanel({ store }: { store: PanelStore }) {
  const { rows, dropped, sessions, source } = useSyncExternalStore(store.subscribe, store.getState);
  const sum = countRequests(rows);
  const announcement = useAnnouncement(sum);
  const stickToEnd = useStickToEnd<HTMLDivElement>(rows.length);
  return (
    <Frame aria-label="Requests of this story">
      <Head>
        <Sum>{sum}</Sum>
        <Sessions sessions={sessions} />
        <ClearButton type="button" onClick={store.clear}>
          Clear
        </ClearButton>
      </Head>
      <Unseen role="status">{announcement}</Unseen>
      {rows.length === 0 ? (
        <EmptyPanel source={source} />
      ) : (
        <RequestTable rows={rows} dropped={dropped} stickToEnd={stickToEnd} />
      )}
    </Frame>
  );
}

const Empty = styled.div(({ theme }) => ({
  padding: '24px 16px',
  maxWidth: 620,
  margin: '0 auto',
  lineHeight: '20px',
  '& code': { fontFamily: theme.typography.fonts.mono, fontSize: theme.typography.size.s1 },
  '& p': { margin: '0 0 8px' },
}));

/** What the panel says while it has no row. */
function EmptyPanel({ source }: { source: PanelSource }) {
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

const Count = styled.span({ marginInlineStart: 6, fontVariantNumeric: 'tabular-nums' });

/** The panel's tab, with the number of requests. */
export function PanelTitle({ store }: { store: PanelStore }) {
  const { rows } = useSyncExternalStore(store.subscribe, store.getState);
  return (
    <span>
      Requests
      {rows.length > 0 && <Count>{rows.length}</Count>}
    </span>
  );
}

/** The text is announced after this time without a change, so that a screen reader does not read each step. */
const QUIET_MS = 1000;

/** Returns the text after it has not changed for `QUIET_MS`. */
function useAnnouncement(text: string): string {
  const [announced, announce] = useState('');
  useEffect(() => {
    const quiet = setTimeout(() => announce(text), QUIET_MS);
    return () => clearTimeout(quiet);
  }, [text]);
  return announced;
}

/** @jsxRuntime classic */
// Storybook's own React renders the panel and has no JSX runtime to import, so its files use the classic runtime.
import React, { useId, useSyncExternalStore } from 'react';
import { styled } from 'storybook/theming';
import { countRequests } from './countRequests.js';
import type { PanelStore } from './createPanelStore.js';
import { describeStatus } from './describeStatus.js';
import type { PanelSession, PanelSource } from './PanelNews.js';
import { RequestRow } from './RequestRow.js';
import { toneColor } from './toneColor.js';
import { useAnnouncement } from './useAnnouncement.js';
import { useStickToEnd } from './useStickToEnd.js';

/** Header and width (in pixels) of each column. The widths are fixed, so that a new row does not move the others. */
const COLUMNS: readonly [string, number][] = [
  ['#', 40],
  ['Request', 224],
  ['Status', 76],
  ['Cause', 90],
  ['Attempt', 80],
  ['Credential', 190],
  ['Session', 124],
  ['Sent', 74],
  ['Took', 72],
];
const TABLE_WIDTH = COLUMNS.reduce((sum, [, width]) => sum + width, 0);

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

const Scroll = styled.div(({ theme }) => ({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  '&:focus-visible': { outline: `2px solid ${toneColor(theme, 'info')}`, outlineOffset: -2 },
}));

const Table = styled.table(({ theme }) => ({
  tableLayout: 'fixed',
  width: '100%',
  minWidth: TABLE_WIDTH,
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontSize: theme.typography.size.s2,
  lineHeight: '18px',
  '& th, & td': {
    padding: '6px 8px',
    textAlign: 'start',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
    fontWeight: 'normal',
    borderBottom: `1px solid ${theme.appBorderColor}`,
  },
  '& td:first-of-type, & td:nth-last-of-type(-n+2)': {
    fontVariantNumeric: 'tabular-nums',
    color: toneColor(theme, 'muted'),
  },
  '& thead th': {
    position: 'sticky',
    top: 0,
    background: theme.background.content,
    color: toneColor(theme, 'muted'),
    fontWeight: theme.typography.weight.bold,
  },
}));

/** Visually hidden text for screen readers. */
const Unseen = styled.caption({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});

const Empty = styled.div(({ theme }) => ({
  padding: '24px 16px',
  maxWidth: 620,
  margin: '0 auto',
  lineHeight: '20px',
  '& code': { fontFamily: theme.typography.fonts.mono, fontSize: theme.typography.size.s1 },
  '& p': { margin: '0 0 8px' },
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

function Nothing({ source }: { source: PanelSource }) {
  if (source === 'not-started') {
    return (
      <Empty>
        <p>
          <strong>The worker has not been started.</strong>
        </p>
        <p>
          The kit has sent requests in this story, and <code>msw</code> has reported none of them. Start the worker in
          your preview: <code>{'beforeAll: async () => { await worker.start(); }'}</code>. If another worker is started
          there, make the journal of that one.
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

/** The requests panel: all requests of the story, and the current status of its sessions. */
export function RequestsPanel({ store }: { store: PanelStore }) {
  const { rows, dropped, sessions, source } = useSyncExternalStore(store.subscribe, store.getState);
  const sum = countRequests(rows);
  const announcement = useAnnouncement(sum);
  const { ref, onScroll } = useStickToEnd<HTMLDivElement>(rows.length);
  const caption = useId();
  return (
    <Frame aria-label="Requests of this story">
      <Head>
        <Sum>{sum}</Sum>
        <Sessions sessions={sessions} />
        <ClearButton type="button" onClick={store.clear}>
          Clear
        </ClearButton>
      </Head>
      <Unseen as="div" role="status">
        {announcement}
      </Unseen>
      {rows.length === 0 ? (
        <Nothing source={source} />
      ) : (
        // Focusable, so that the arrow keys scroll the table.
        <Scroll ref={ref} onScroll={onScroll} tabIndex={0} role="region" aria-labelledby={caption}>
          <Table>
            <Unseen id={caption}>Requests, oldest first{dropped > 0 && `, without the first ${dropped}`}</Unseen>
            <colgroup>
              {COLUMNS.map(([name, width]) => (
                <col key={name} style={name === 'Request' ? undefined : { width }} />
              ))}
            </colgroup>
            <thead>
              <tr>
                {COLUMNS.map(([name]) => (
                  <th key={name} scope="col" aria-label={name === '#' ? 'Number' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <RequestRow key={row.id} row={row} />
              ))}
            </tbody>
          </Table>
        </Scroll>
      )}
    </Frame>
  );
}

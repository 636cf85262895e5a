/** @jsxRuntime classic */
// Storybook's own React renders the panel and has no JSX runtime to import, so its files use the classic runtime.
import React, { useSyncExternalStore } from 'react';
import { styled } from 'storybook/theming';
import { countRequests } from './countRequests.js';
import type { PanelStore } from './createPanelStore.js';
import { describeStatus } from './describeStatus.js';
import { EmptyPanel } from './EmptyPanel.js';
import type { PanelSession } from './PanelNews.js';
import { RequestTable } from './RequestTable.js';
import { toneColor } from './toneColor.js';
import { Unseen } from './Unseen.js';
import { useAnnouncement } from './useAnnouncement.js';
import { useStickToEnd } from './useStickToEnd.js';

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

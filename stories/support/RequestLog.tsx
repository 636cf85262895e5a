import { memo, useDeferredValue, useSyncExternalStore } from 'react';
import type { RequestJournal } from '../../src/testing/index.js';

/** The addresses of auth calls. Every other request is for data. */
const AUTH_CALLS = ['login', 'logout', 'refresh', 'whoami', 'csrf'];
/** Those of them that get a fresh credential: an access token, or a CSRF token. */
const REFRESHES = ['refresh', 'csrf'];

/** The requests so far: how many for data, how many refreshes, and a line for each, without secrets. */
export function RequestLog({ journal }: { journal: RequestJournal }) {
  const entries = useSyncExternalStore(
    listener => journal.subscribe(listener),
    () => journal.entries,
  );
  // The counts change at once. The lines may wait: hundreds of them can come at the same time.
  const shown = useDeferredValue(entries);
  const names = entries.map(({ url }) => /[^/?]*(?=\?|$)/.exec(url)?.[0] ?? '');
  const data = names.filter(name => !AUTH_CALLS.includes(name)).length;
  const refreshes = names.filter(name => REFRESHES.includes(name)).length;
  return (
    <section aria-label="What was sent">
      <p>{`${data} for data, ${refreshes} to refresh`}</p>
      <Lines journal={journal} entries={shown} />
    </section>
  );
}

/** Renders when the journal's entries change. */
const Lines = memo(function Lines({ journal }: { journal: RequestJournal; entries: RequestJournal['entries'] }) {
  return (
    <pre tabIndex={0} style={{ whiteSpace: 'pre-wrap', fontSize: '0.75rem', maxHeight: '16rem', overflow: 'auto' }}>
      {journal.lines().join('\n')}
    </pre>
  );
});

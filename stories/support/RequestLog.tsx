import { memo, useDeferredValue, useSyncExternalStore } from 'react';
import type { RequestJournal } from '../../src/testing/index.js';

/** Addresses of the session's own calls; every other request is for data. */
const OWN_CALLS = ['login', 'logout', 'refresh', 'whoami', 'csrf'];
/** Those of them that get a fresh credential: an access token, or a CSRF token. */
const REFRESHES = ['refresh', 'csrf'];

/** What was sent so far: how many requests for data, how many refreshes, and every line without its secrets. */
export function RequestLog({ journal }: { journal: RequestJournal }) {
  const entries = useSyncExternalStore(
    tell => journal.subscribe(tell),
    () => journal.entries,
  );
  // The counts at once; the lines when there is time, since hundreds of them may come in one moment.
  const shown = useDeferredValue(entries);
  const names = entries.map(({ url }) => /[^/?]*(?=\?|$)/.exec(url)?.[0] ?? '');
  const data = names.filter(name => !OWN_CALLS.includes(name)).length;
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

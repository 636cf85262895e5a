import { useSyncExternalStore } from 'react';
import type { RequestJournal } from '../../src/testing/index.js';

/** Addresses of the session's own calls; every other request is for data. */
const OWN_CALLS = ['login', 'logout', 'refresh', 'whoami', 'csrf'];

/** What was sent so far: how many requests for data, how many refreshes, and every line without its secrets. */
export function Watch({ journal }: { journal: RequestJournal }) {
  const entries = useSyncExternalStore(
    tell => journal.subscribe(tell),
    () => journal.entries,
  );
  const names = entries.map(({ url }) => new URL(url).pathname.split('/').at(-1) ?? '');
  const data = names.filter(name => !OWN_CALLS.includes(name)).length;
  const refreshes = names.filter(name => name === 'refresh').length;
  return (
    <section aria-label="What was sent">
      <p>{`${data} for data, ${refreshes} to refresh`}</p>
      <pre style={{ whiteSpace: 'pre-wrap', fontSize: '0.75rem' }}>{journal.lines().join('\n')}</pre>
    </section>
  );
}

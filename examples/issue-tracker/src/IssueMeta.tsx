import type { CSSProperties } from 'react';
import type { Issue } from './issues';

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

const COLORS: Readonly<Record<string, string>> = { open: '#1a7f37', closed: '#8250df', confidential: '#d1242f' };

function Badge({ text }: { text: string }) {
  return (
    <span className="badge" style={{ '--badge': COLORS[text] } as CSSProperties}>
      {text}
    </span>
  );
}

/** The facts of an issue in one line. */
export function IssueMeta({ issue }: { issue: Issue }) {
  const { id, state, label, author, createdAt, confidential } = issue;
  return (
    <p className="meta">
      <Badge text={state} /> <Badge text={label} /> {confidential && <Badge text="confidential" />} #{id}, opened by{' '}
      {author} on <time dateTime={createdAt}>{DATE.format(new Date(createdAt))}</time>
    </p>
  );
}

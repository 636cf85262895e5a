import type { CSSProperties } from 'react';
import type { Issue } from './issues';
import { Person } from './Person';

/** A dot in a circle: open. A check: closed. */
export function StateIcon({ state }: Pick<Issue, 'state'>) {
  const isOpen = state === 'open';
  return (
    <svg
      className={`state ${state}`}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      role="img"
      aria-label={isOpen ? 'Open' : 'Closed'}
    >
      <circle cx="8" cy="8" r="6.5" />
      {isOpen ? <circle cx="8" cy="8" r="1" /> : <path d="m5 8.25 2 2 4-4.5" />}
    </svg>
  );
}

const LABEL_COLORS: Readonly<Record<string, string>> = {
  bug: '#d1242f',
  feature: '#0969da',
  design: '#bf3989',
  docs: '#1b7c83',
  performance: '#9a6700',
  security: '#8250df',
};

function Badge({ text }: { text: string }) {
  return (
    <span className="badge" style={{ '--badge': LABEL_COLORS[text] } as CSSProperties}>
      {text}
    </span>
  );
}

/** The label, and who sees the issue if not everybody does. */
export function IssueBadges({ issue: { label, confidential } }: { issue: Issue }) {
  return (
    <>
      <Badge text={label} /> {confidential && <Badge text="confidential" />}
    </>
  );
}

/** The number, the age and the author of an issue. */
export function IssueMeta({ issue: { id, author, createdAt } }: { issue: Issue }) {
  return (
    <p className="meta">
      #{id} opened{' '}
      <time dateTime={createdAt} title={DATE.format(new Date(createdAt))}>
        {formatAge(createdAt)}
      </time>{' '}
      by <Person id={author} />
    </p>
  );
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const AGE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['month', 30 * 24 * 3_600_000],
  ['day', 24 * 3_600_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** “3 hours ago”, “yesterday”. */
function formatAge(createdAt: string): string {
  const age = Date.now() - Date.parse(createdAt);
  const [unit, ms] = UNITS.find(([, length]) => age >= length) ?? (['second', 1_000] as const);
  return AGE.format(-Math.floor(age / ms), unit);
}

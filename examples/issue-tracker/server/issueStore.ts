// The rules of the tracker, without HTTP.
import rows from './issues.json' with { type: 'json' };

export interface IssueRow {
  id: string;
  title: string;
  body: string;
  label: string;
  state: string;
  author: string;
  /** ISO 8601. */
  createdAt: string;
  /** True: only the author sees it. */
  confidential: boolean;
  attachments: readonly { id: string; name: string }[];
}

/** The newest issue is always a few hours old. */
const LATER_MS = Date.now() - 3 * 3_600_000 - Date.parse(rows[0]!.createdAt);

export const initialIssues: readonly IssueRow[] = rows.map(row => ({
  ...row,
  attachments: [],
  createdAt: new Date(Date.parse(row.createdAt) + LATER_MS).toISOString(),
}));

const LABELS = ['bug', 'feature', 'design', 'docs', 'performance', 'security'];
const PAGE_SIZE = 20;

export function isVisible(issue: IssueRow, userId: string | undefined): boolean {
  return !issue.confidential || issue.author === userId;
}

/** One page of the issues that a user may see, newest first. `next` is the address of the next page, or null. */
export function listIssues(issues: readonly IssueRow[], search: URLSearchParams, userId: string | undefined) {
  const { state, label, q = '', page = '1' } = Object.fromEntries(search) as Record<string, string | undefined>;
  const found = issues
    .filter(issue => isVisible(issue, userId))
    .filter(issue => state === undefined || issue.state === state)
    .filter(issue => label === undefined || issue.label === label)
    .filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()))
    .sort((a, b) => Number(b.id) - Number(a.id));
  const end = Number(page) * PAGE_SIZE;
  const next = new URLSearchParams(search);
  next.set('page', String(Number(page) + 1));
  return {
    count: found.length,
    next: end < found.length ? `/api/issues?${next.toString()}` : null,
    results: found.slice(end - PAGE_SIZE, end),
  };
}

/** The fields that a new issue has without the user. */
export function withDefaults(fields: Record<string, unknown>, author: string | undefined): Record<string, unknown> {
  const createdAt = new Date().toISOString();
  return { body: '', confidential: false, ...fields, state: 'open', author, createdAt, attachments: [] };
}

/** The errors of an issue by field, for a response with status 422. */
export function issueErrors({ title, label }: Record<string, unknown>): Record<string, string[]> {
  return {
    ...((typeof title !== 'string' || title.trim() === '') && { title: ['A title is needed.'] }),
    ...(!LABELS.includes(String(label)) && { label: [`Choose one of ${LABELS.join(', ')}.`] }),
  };
}

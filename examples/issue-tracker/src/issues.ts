import { Entity, hookifyResource, resource, RestEndpoint } from 'data-client-auth';
import type { FormField } from 'data-client-auth/widgets';

export class Issue extends Entity {
  // Builds shorten the names of classes, and the server knows this one: it is in the questions about permissions.
  static override readonly key = 'Issue';
  id = '';
  title = '';
  body = '';
  label = '';
  state = 'open';
  author = '';
  createdAt = '';
  confidential = false;
  attachments: readonly { readonly id: string; readonly name: string }[] = [];
}

/** The search params of the list. */
export interface IssueFilter {
  state?: string;
  label?: string;
  /** A part of the title. */
  q?: string;
}

const searchParams: IssueFilter = {};

export const Issues = hookifyResource(
  resource({
    path: '/api/issues/:id',
    schema: Issue,
    searchParams,
    paginationField: 'page',
    rows: 'results',
  }),
);

export const deleteClosedIssues = new RestEndpoint({ path: '/api/closed-issues', method: 'DELETE', body: undefined });

export const LABELS = ['bug', 'feature', 'design', 'docs', 'performance', 'security'];

export const ISSUE_FIELDS: readonly FormField<'title' | 'body' | 'label' | 'confidential'>[] = [
  { name: 'title', label: 'Title', required: true },
  { name: 'body', label: 'Description', type: 'textarea' },
  {
    name: 'label',
    label: 'Label',
    type: 'select',
    options: LABELS.map(label => ({ value: label, label })),
    required: true,
  },
  { name: 'confidential', label: 'Confidential: only I see it', type: 'checkbox' },
];

export const getTitle = (issue: Issue): string => issue.title;

// Who may do what. The same rule answers the questions of the page and refuses requests.
import type { PermissionAnswer, PermissionQuestion } from 'data-client-auth/permissions';
import type { User } from '../src/demoUsers.ts';
import type { IssueRow } from './issueStore.ts';

export const DENIED_REASON = 'Only its author and maintainers may do this.';

/** Maintainers may do everything. Others write issues, and change their own. */
export function isAllowed(user: User | undefined, action: string, issue?: IssueRow): boolean {
  if (user?.role === 'maintainer' || action === 'create') return true;
  return issue !== undefined && issue.author === user?.id;
}

/** The answers to the questions of the page, in the same order. */
export function answerQuestions(
  questions: readonly PermissionQuestion[],
  issues: readonly IssueRow[],
  user: User | undefined,
): PermissionAnswer[] {
  return questions.map(({ action, on }) => {
    const issue = issues.find(({ id }) => id === on?.id);
    return isAllowed(user, action, issue) || { allowed: false, reason: DENIED_REASON };
  });
}

import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { AskedQuestion, Permission } from './PermissionAnswers.js';
import { usePermissionAnswers } from './usePermissionAnswers.js';

const NOTHING_KNOWN: readonly Permission[] = [];

/**
 * Returns what is known about each question, and asks what is not. The same array until one of them changes. Undefined for a provider
 * without `can`.
 */
export function usePermissions(questions: readonly AskedQuestion[]): readonly Permission[] | undefined {
  const answers = usePermissionAnswers();
  const latest = useRef(questions);
  const subscribe = useCallback(
    (onChange: () => void) => answers?.watch({ getQuestions: () => latest.current, onChange }) ?? (() => {}),
    [answers],
  );
  const previous = useRef(NOTHING_KNOWN);
  const readWith = (method: 'read' | 'readOnServer') => () => {
    if (!answers) return undefined;
    const next = questions.map(asked => answers[method](asked));
    if (!isSame(previous.current, next)) previous.current = next;
    return previous.current;
  };
  const known = useSyncExternalStore(subscribe, readWith('read'), readWith('readOnServer'));
  const isOpen = known?.some(({ status }) => status === 'pending') ?? false;
  useEffect(() => {
    latest.current = questions;
    if (isOpen) answers?.ask(questions);
  });
  // A question that could not be answered is asked again by the next component.
  useEffect(() => answers?.ask(latest.current), [answers]);
  return known;
}

function isSame(before: readonly Permission[], next: readonly Permission[]): boolean {
  return (
    before.length === next.length &&
    next.every(({ status, reason, error }, index) => {
      const other = before[index]!;
      return other.status === status && other.reason === reason && other.error === error;
    })
  );
}

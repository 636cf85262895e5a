import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import { SessionContext } from '../endpoints/SessionContext.js';

/** What a deletion waits for: nothing, a yes, or the end of the time in which it can be undone. */
export type Deletion = 'at-once' | 'confirm' | 'undo';

/** How long a deletion can be undone; while a pointer or the keyboard is at the button, the time stands still. */
const UNDO_FOR_MS = 8_000;

/** A deletion that waits, or is under way. */
export interface Question {
  /** `'gone'`: what is being deleted is not shown any more. */
  readonly kind: 'confirm' | 'undo' | 'gone';
  readonly name: string | undefined;
  /** False once it is answered. */
  readonly isOpen: boolean;
  readonly answer: (agreed: boolean) => void;
  /** The time to undo stands still, and begins anew. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export interface Consent {
  /** By the key of the record. */
  readonly questions: ReadonlyMap<unknown, Question>;
  /**
   * Waits for what the deletion waits for, then acts; false: it did not. With `hides`, the record is gone from then on, unless the act
   * fails. The same function at every render.
   */
  readonly ask: (key: unknown, item: unknown, act: () => Promise<unknown>, hides: boolean) => Promise<boolean>;
}

/**
 * Asks before a deletion, or lets it be undone.
 *
 * What can be undone still when the widget or the page goes away is deleted then. When the identity has changed meanwhile it
 * is not: nobody deletes in the name of another.
 */
export function useConsent(deletion: Deletion, nameOf: ((item: never) => string) | undefined): Consent {
  const engine = useContext(SessionContext);
  const [questions, setQuestions] = useState<ReadonlyMap<unknown, Question>>(() => new Map());
  const open = useRef(new Set<Question>()).current;
  const latest = useRef({ deletion, nameOf });
  latest.current = { deletion, nameOf };

  const ask = useCallback(
    async (key: unknown, item: unknown, act: () => Promise<unknown>, hides: boolean): Promise<boolean> => {
      const { deletion: kind, nameOf: nameIt } = latest.current;
      const put = (question?: Question) => setQuestions(now => new Map([...now].filter(([other]) => other !== key).concat(question ? [[key, question]] : [])));
      try {
        if (kind !== 'at-once') {
          const epoch = engine?.getSnapshot().epoch;
          const { question, answered } = pose(kind, nameIt?.(item as never));
          open.add(question);
          put(question);
          const isAgreed = await answered;
          open.delete(question);
          // A request carries the credentials of whoever is signed in when it starts.
          if (!isAgreed || engine?.getSnapshot().epoch !== epoch) return false;
          put({ ...question, isOpen: false });
        }
        if (hides) put(GONE);
        await act();
        return true;
      } finally {
        put();
      }
    },
    [engine, open],
  );

  useEffect(() => {
    const leave = () => open.forEach(question => question.answer(question.kind === 'undo'));
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [open]);

  return { questions, ask };
}

const GONE: Question = { kind: 'gone', name: undefined, isOpen: false, answer: () => {}, pause: () => {}, resume: () => {} };

function pose(kind: 'confirm' | 'undo', name: string | undefined): { question: Question; answered: Promise<boolean> } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = true;
  let settle!: (agreed: boolean) => void;
  const answered = new Promise<boolean>(resolve => (settle = resolve));
  const pause = () => clearTimeout(timer);
  const answer = (agreed: boolean) => {
    pause();
    isOpen = false;
    settle(agreed);
  };
  const resume = () => {
    pause();
    if (isOpen && kind === 'undo') timer = setTimeout(() => answer(true), UNDO_FOR_MS);
  };
  resume();
  return { question: { kind, name, isOpen: true, answer, pause, resume }, answered };
}

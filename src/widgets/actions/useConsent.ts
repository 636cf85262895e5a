import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import { SessionContext } from '../../endpoints/SessionContext.js';
import type { LooseEndpoint } from '../shared/resourceTypes.js';

/** What a deletion waits for: nothing, a yes, or the end of the time in which it can be undone. */
export type Deletion = 'at-once' | 'confirm' | 'undo';

/** How long a deletion can be undone; while a pointer or the keyboard is at the button, the time stands still. */
const UNDO_FOR_MS = 8_000;

type Answer = 'yes' | 'no' | 'leaving';

/** A deletion that waits, or is under way. */
export interface Question {
  /** `'gone'`: what is being deleted is not shown any more. */
  readonly kind: 'confirm' | 'undo' | 'gone';
  readonly name: string | undefined;
  /** False once it is answered. */
  readonly isOpen: boolean;
  readonly answer: (answer: Answer) => void;
  /** The time to undo stands still, and begins anew. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export interface Consent {
  /** By the key of the record. */
  readonly questions: ReadonlyMap<unknown, Question>;
  /**
   * Waits for what the deletion waits for, then acts; false: it did not. The act is told when the widget or the page is going away. With
   * `hides`, the record is gone from then on, unless the act fails. The same function at every render.
   */
  readonly ask: (key: unknown, item: unknown, act: (isLeaving: boolean) => Promise<unknown>, hides: boolean) => Promise<boolean>;
}

interface Asking {
  readonly deletion: Deletion | undefined;
  readonly nameOf: ((item: never) => string) | undefined;
  /** What deletes. */
  readonly endpoint: LooseEndpoint | undefined;
  /** What the widget shows; something else takes the time to undo with it. @default one and the same */
  readonly shown?: unknown;
}

/**
 * Asks before a deletion, or lets it be undone.
 *
 * What can be undone still when the widget or the page goes away, or shows something else, is deleted then. When the identity of the
 * session that the deletion goes with changes meanwhile, it is dropped: nobody deletes in the name of another.
 */
export function useConsent({ deletion = 'at-once', nameOf, endpoint, shown }: Asking): Consent {
  const nearest = useContext(SessionContext);
  const session = endpoint?.session ?? nearest?.session;
  const [questions, setQuestions] = useState<ReadonlyMap<unknown, Question>>(() => new Map());
  const open = useRef(new Set<Question>()).current;
  const latest = useRef({ deletion, nameOf });
  latest.current = { deletion, nameOf };

  const ask = useCallback(
    async (key: unknown, item: unknown, act: (isLeaving: boolean) => Promise<unknown>, hides: boolean): Promise<boolean> => {
      let isLeaving = false;
      const { deletion: kind, nameOf: nameIt } = latest.current;
      const put = (question?: Question) => setQuestions(now => new Map([...now].filter(([other]) => other !== key).concat(question ? [[key, question]] : [])));
      try {
        if (kind !== 'at-once') {
          const epoch = session?.getSnapshot().epoch;
          const { question, answered } = pose(kind, nameIt?.(item as never));
          const end = session?.subscribe(() => session.getSnapshot().epoch !== epoch && question.answer('no'));
          open.add(question);
          put(question);
          const answer = await answered;
          open.delete(question);
          end?.();
          // A request carries the credentials of whoever is signed in when it starts.
          if (answer === 'no' || session?.getSnapshot().epoch !== epoch) return false;
          isLeaving = answer === 'leaving';
          put({ ...question, isOpen: false });
        }
        if (hides) put(GONE);
        await act(isLeaving);
        return true;
      } finally {
        put();
      }
    },
    [session, open],
  );

  useEffect(() => {
    const leave = () => open.forEach(question => question.answer(question.kind === 'undo' ? 'leaving' : 'no'));
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [open, shown]);

  return { questions, ask };
}

const GONE: Question = { kind: 'gone', name: undefined, isOpen: false, answer: () => {}, pause: () => {}, resume: () => {} };

function pose(kind: 'confirm' | 'undo', name: string | undefined): { question: Question; answered: Promise<Answer> } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = true;
  let settle!: (answer: Answer) => void;
  const answered = new Promise<Answer>(resolve => (settle = resolve));
  const pause = () => clearTimeout(timer);
  const answer = (given: Answer) => {
    pause();
    isOpen = false;
    settle(given);
  };
  const resume = () => {
    pause();
    if (isOpen && kind === 'undo') timer = setTimeout(() => answer('yes'), UNDO_FOR_MS);
  };
  resume();
  return { question: { kind, name, isOpen: true, answer, pause, resume }, answered };
}

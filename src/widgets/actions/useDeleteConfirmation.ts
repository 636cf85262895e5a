import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import { SessionContext } from '../../endpoints/SessionContext.js';
import type { LooseEndpoint } from '../shared/resourceTypes.js';

/** What a deletion waits for: nothing, a yes, or the end of the time in which it can be undone. */
export type DeleteMode = 'immediate' | 'confirm' | 'undo';

/** How long a deletion can be undone; while a pointer or the keyboard is at the button, the time stands still. */
const UNDO_FOR_MS = 8_000;

type Answer = 'yes' | 'no' | 'leaving';

/** A deletion that waits, or is under way. */
export interface PendingDeletion {
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

export interface DeleteConfirmation {
  /** By the key of the record. */
  readonly pendingDeletions: ReadonlyMap<unknown, PendingDeletion>;
  /**
   * Waits for what the deletion waits for, then acts; false: it did not. The act is told when the widget or the page is going away. With
   * `hides`, the record is gone from then on, unless the act fails. The same function at every render.
   */
  readonly confirmDeletion: (key: unknown, item: unknown, act: (isLeaving: boolean) => Promise<unknown>, hides: boolean) => Promise<boolean>;
}

interface DeleteConfirmationOptions {
  readonly deleteMode: DeleteMode | undefined;
  readonly getItemLabel: ((item: never) => string) | undefined;
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
export function useDeleteConfirmation({ deleteMode = 'immediate', getItemLabel, endpoint, shown }: DeleteConfirmationOptions): DeleteConfirmation {
  const nearest = useContext(SessionContext);
  const session = endpoint?.session ?? nearest?.session;
  const [pendingDeletions, setPendingDeletions] = useState<ReadonlyMap<unknown, PendingDeletion>>(() => new Map());
  const open = useRef(new Set<PendingDeletion>()).current;
  const latest = useRef({ deleteMode, getItemLabel });
  latest.current = { deleteMode, getItemLabel };

  const confirmDeletion = useCallback(
    async (key: unknown, item: unknown, act: (isLeaving: boolean) => Promise<unknown>, hides: boolean): Promise<boolean> => {
      let isLeaving = false;
      const { deleteMode: kind, getItemLabel: getLabel } = latest.current;
      const put = (pendingDeletion?: PendingDeletion) => setPendingDeletions(now => new Map([...now].filter(([other]) => other !== key).concat(pendingDeletion ? [[key, pendingDeletion]] : [])));
      try {
        if (kind !== 'immediate') {
          const epoch = session?.getSnapshot().epoch;
          const { pendingDeletion, answered } = createPendingDeletion(kind, getLabel?.(item as never));
          const end = session?.subscribe(() => session.getSnapshot().epoch !== epoch && pendingDeletion.answer('no'));
          open.add(pendingDeletion);
          put(pendingDeletion);
          const answer = await answered;
          open.delete(pendingDeletion);
          end?.();
          // A request carries the credentials of whoever is signed in when it starts.
          if (answer === 'no' || session?.getSnapshot().epoch !== epoch) return false;
          isLeaving = answer === 'leaving';
          put({ ...pendingDeletion, isOpen: false });
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
    const endAll = () => open.forEach(pendingDeletion => pendingDeletion.answer(pendingDeletion.kind === 'undo' ? 'leaving' : 'no'));
    window.addEventListener('pagehide', endAll);
    return () => {
      window.removeEventListener('pagehide', endAll);
      endAll();
    };
  }, [open, shown]);

  return { pendingDeletions, confirmDeletion };
}

const GONE: PendingDeletion = { kind: 'gone', name: undefined, isOpen: false, answer: () => {}, pause: () => {}, resume: () => {} };

function createPendingDeletion(kind: 'confirm' | 'undo', name: string | undefined): { pendingDeletion: PendingDeletion; answered: Promise<Answer> } {
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
  return { pendingDeletion: { kind, name, isOpen: true, answer, pause, resume }, answered };
}

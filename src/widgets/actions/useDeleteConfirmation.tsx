import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { withHandledRejection } from '../../clock.js';
import { useNearestSession } from '../../endpoints/SessionContext.js';
import { useLatest } from '../../providers/useLatest.js';
import { getOrCreate } from '../../getOrCreate.js';
import { labelWithName } from '../labels/labelWithName.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import type { LooseEndpoint } from '../shared/resource.js';

/** When a deletion is sent: immediately, after the user has confirmed it, or when the time to undo it has passed. */
export type DeleteMode = 'immediate' | 'confirm' | 'undo';

/**
 * The time to undo a deletion. It does not run while the pointer is on the bar or the keyboard focus is on its button.
 */
export const UNDO_TIMEOUT_MS = 8_000;

/** `delete-on-leave`: the page or the widget goes away before the time to undo has passed. */
type Decision = 'delete' | 'delete-on-leave' | 'cancel';

/** A deletion about which the user decides. */
export interface WaitingDeletion {
  readonly kind: 'confirm' | 'undo';
  /** From `getItemLabel`. */
  readonly itemLabel: string | undefined;
  /** False after the decision. */
  readonly isOpen: boolean;
  readonly decide: (decision: Decision) => void;
  /** Stops the time to undo. */
  readonly pause: () => void;
  /** Starts the time to undo from the beginning. */
  readonly resume: () => void;
  /** How much of the time to undo has passed, in milliseconds. */
  readonly getElapsed: () => number;
}

/** `hidden`: the deletion has been sent, and the record is not shown any more. */
export type PendingDeletion = WaitingDeletion | { readonly kind: 'hidden' };

/** Deletes now. `isLeaving`: the page or the widget is going away, and its store with it. */
type Delete = (isLeaving: boolean) => Promise<unknown>;

type DeletionOutcome = 'deleted' | 'undone';

/** Called when a deletion has an outcome that the user sees: the record goes away, or is back. Must not throw. */
export type OnDeletion = (outcome: DeletionOutcome, item: object) => void;

export interface DeleteConfirmation {
  /** By the key of the record. */
  readonly pendingDeletions: ReadonlyMap<string, PendingDeletion>;
  /**
   * Waits as the delete mode says, then deletes. Resolves with false when the record was not deleted; a caller may ignore a rejection. While
   * it is pending, another call for the same key returns the same promise, also from a row that was mounted again. With `hides`, the
   * record is hidden as soon as the deletion is sent, and shown again if it fails. The same function at every render.
   */
  readonly confirmDeletion: (key: string, item: object, deleteItem: Delete, hides: boolean) => Promise<boolean>;
}

interface DeleteConfirmationOptions {
  readonly deleteMode: DeleteMode | undefined;
  readonly getItemLabel: ((item: object) => string) | undefined;
  /** The endpoint that deletes. */
  readonly endpoint: LooseEndpoint | undefined;
  readonly onDeletion: OnDeletion;
  /** Names what the widget shows. When it changes, the time to undo ends. @default it never changes */
  readonly shown?: unknown;
}

/**
 * Asks the user before a deletion, or lets the user undo it.
 *
 * When the widget or the page goes away, or shows another record, a deletion that could still be undone is sent at once. When the identity
 * changes, the deletion is cancelled: it would carry the credentials of another user.
 */
export function useDeleteConfirmation({
  deleteMode = 'immediate',
  getItemLabel,
  endpoint,
  onDeletion,
  shown,
}: DeleteConfirmationOptions): DeleteConfirmation {
  const nearest = useNearestSession();
  const session = endpoint?.session ?? nearest?.session;
  const [pendingDeletions, setPendingDeletions] = useState<ReadonlyMap<string, PendingDeletion>>(() => new Map());
  const open = useRef(new Set<WaitingDeletion>()).current;
  const underWay = useRef(new Map<string, Promise<boolean>>()).current;
  const latest = useLatest({ deleteMode, getItemLabel, onDeletion });

  const startDeletion = useCallback(
    async (key: string, item: object, deleteItem: Delete, hides: boolean): Promise<boolean> => {
      let isLeaving = false;
      let isReported = false;
      const { deleteMode: mode, getItemLabel: labelOf } = latest.current;
      const report = (outcome: DeletionOutcome) => {
        isReported = outcome === 'deleted';
        latest.current.onDeletion(outcome, item);
      };
      const show = (pendingDeletion?: PendingDeletion) =>
        setPendingDeletions(current => {
          const others = [...current].filter(([other]) => other !== key);
          return new Map(pendingDeletion ? [...others, [key, pendingDeletion]] : others);
        });
      try {
        if (mode !== 'immediate') {
          const epoch = session?.getSnapshot().epoch;
          const { pendingDeletion, decided } = createPendingDeletion(mode, labelOf?.(item));
          const unsubscribe = session?.subscribe(
            () => session.getSnapshot().epoch !== epoch && pendingDeletion.decide('cancel'),
          );
          open.add(pendingDeletion);
          show(pendingDeletion);
          if (mode === 'undo') report('deleted');
          const decision = await decided;
          open.delete(pendingDeletion);
          unsubscribe?.();
          // The user may have decided just before the identity changed. The request would carry the credentials of the new identity.
          if (session?.getSnapshot().epoch !== epoch) return false;
          if (decision === 'cancel') {
            if (mode === 'undo') report('undone');
            return false;
          }
          isLeaving = decision === 'delete-on-leave';
          show({ ...pendingDeletion, isOpen: false });
        }
        if (hides) show({ kind: 'hidden' });
        if (hides && !isReported) report('deleted');
        await deleteItem(isLeaving);
        if (!isReported) report('deleted');
        return true;
      } catch (error) {
        // The record is back.
        if (isReported) report('undone');
        throw error;
      } finally {
        show();
      }
    },
    [session, open, latest],
  );

  const confirmDeletion = useCallback<DeleteConfirmation['confirmDeletion']>(
    (key, ...deletion) =>
      getOrCreate(underWay, key, () =>
        withHandledRejection(startDeletion(key, ...deletion).finally(() => underWay.delete(key))),
      ),
    [startDeletion, underWay],
  );

  useEffect(() => {
    const endAll = () => open.forEach(({ kind, decide }) => decide(kind === 'undo' ? 'delete-on-leave' : 'cancel'));
    window.addEventListener('pagehide', endAll);
    return () => {
      window.removeEventListener('pagehide', endAll);
      endAll();
    };
  }, [open, shown]);

  return { pendingDeletions, confirmDeletion };
}

function createPendingDeletion(
  kind: 'confirm' | 'undo',
  itemLabel: string | undefined,
): { pendingDeletion: WaitingDeletion; decided: Promise<Decision> } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startedAt = 0;
  let isOpen = true;
  let settle!: (decision: Decision) => void;
  const decided = new Promise<Decision>(resolve => (settle = resolve));
  const pause = () => clearTimeout(timer);
  const decide = (decision: Decision) => {
    pause();
    isOpen = false;
    settle(decision);
  };
  const resume = () => {
    pause();
    startedAt = Date.now();
    if (isOpen && kind === 'undo') timer = setTimeout(() => decide('delete'), UNDO_TIMEOUT_MS);
  };
  resume();
  const getElapsed = () => Date.now() - startedAt;
  return { pendingDeletion: { kind, itemLabel, isOpen: true, decide, pause, resume, getElapsed }, decided };
}

type ConfirmDialogProps = Pick<DeleteConfirmation, 'pendingDeletions'> & { labels: WidgetLabels };

/** Asks the user to confirm a deletion. The browser's modal dialog keeps the focus inside and gives it back. Escape cancels. */
export function ConfirmDialog({ pendingDeletions, labels }: ConfirmDialogProps): ReactNode {
  for (const [key, pendingDeletion] of pendingDeletions)
    if (pendingDeletion.kind === 'confirm' && pendingDeletion.isOpen)
      return <Dialog key={key} pendingDeletion={pendingDeletion} labels={labels} />;
  return null;
}

function Dialog({ pendingDeletion, labels }: { pendingDeletion: WaitingDeletion; labels: WidgetLabels }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="dca-confirm"
      aria-labelledby={id}
      onClose={({ currentTarget }) =>
        pendingDeletion.decide(currentTarget.returnValue === 'delete' ? 'delete' : 'cancel')
      }
    >
      <p id={id} className="dca-title">
        {labelWithName(labels.confirmDelete, pendingDeletion.itemLabel)}
      </p>
      {/* The first button gets the focus, so it is the one that deletes nothing. */}
      <div className="dca-buttons">
        <button type="button" className="dca-button" onClick={() => dialog.current?.close('cancel')}>
          {labels.cancel}
        </button>
        <button type="button" className="dca-button dca-danger" onClick={() => dialog.current?.close('delete')}>
          {labels.delete}
        </button>
      </div>
    </dialog>
  );
}

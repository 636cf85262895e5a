import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { PendingDeletion } from './useDeleteConfirmation.js';

interface ConfirmDialogProps {
  pendingDeletions: ReadonlyMap<unknown, PendingDeletion>;
  labels: WidgetLabels;
}

/** Asks the user to confirm a deletion. The browser's modal dialog keeps the focus inside and gives it back. Escape cancels. */
export function ConfirmDialog({ pendingDeletions, labels }: ConfirmDialogProps): ReactNode {
  const [key, pendingDeletion] =
    [...pendingDeletions].find(([, { kind, isOpen }]) => kind === 'confirm' && isOpen) ?? [];
  return pendingDeletion && <Dialog key={String(key)} pendingDeletion={pendingDeletion} labels={labels} />;
}

function Dialog({ pendingDeletion, labels }: { pendingDeletion: PendingDeletion; labels: WidgetLabels }) {
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
      <form method="dialog">
        <p id={id}>{labels.confirmDelete(pendingDeletion.itemLabel)}</p>
        {/* The first button gets the focus, so it is the one that deletes nothing. */}
        <button type="button" className="dca-button" onClick={() => dialog.current?.close('cancel')}>
          {labels.cancel}
        </button>{' '}
        <button type="submit" className="dca-button" value="delete">
          {labels.delete}
        </button>
      </form>
    </dialog>
  );
}

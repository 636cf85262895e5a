import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { PendingDeletion } from './useDeleteConfirmation.js';

interface ConfirmDialogProps {
  pendingDeletions: ReadonlyMap<unknown, PendingDeletion>;
  labels: WidgetLabels;
}

/** Asks whether a record shall be deleted. The browser's own modal dialog: it keeps the focus, and gives it back; Escape is a no. */
export function ConfirmDialog({ pendingDeletions, labels }: ConfirmDialogProps): ReactNode {
  const [key, pendingDeletion] = [...pendingDeletions].find(([, { kind, isOpen }]) => kind === 'confirm' && isOpen) ?? [];
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
      onClose={({ currentTarget }) => pendingDeletion.answer(currentTarget.returnValue === 'yes' ? 'yes' : 'no')}
    >
      <form method="dialog">
        <p id={id}>{labels.confirmDelete(pendingDeletion.name)}</p>
        {/* The first one gets the focus: the one that does no harm. */}
        <button type="button" className="dca-button" onClick={() => dialog.current?.close('no')}>
          {labels.cancel}
        </button>{' '}
        <button type="submit" className="dca-button" value="yes">
          {labels.delete}
        </button>
      </form>
    </dialog>
  );
}

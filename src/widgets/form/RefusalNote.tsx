import { useState, type ReactNode } from 'react';
import type { Permission } from '../../permissions/PermissionAnswers.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { ErrorView } from '../shared/ErrorView.js';

interface RefusalNoteProps {
  permission: Permission;
  labels: WidgetLabels;
}

/** Says why a form cannot be sent. Where that could not be found out, a button asks again. */
export function RefusalNote({ permission, labels }: RefusalNoteProps): ReactNode {
  const { status, reason, error, retry } = permission;
  const [retried, setRetried] = useState<Error>();
  if (status === 'pending') return null;
  if (!error || !retry) return <p className="dca-note">{reason ?? labels.denied}</p>;
  const askAgain = () => {
    setRetried(error);
    retry();
  };
  return <ErrorView error={error} retry={askAgain} pending={error === retried} labels={labels} />;
}

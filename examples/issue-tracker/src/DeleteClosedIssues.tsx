import { useController } from '@data-client/react';
import { useEndpoint } from 'data-client-auth';
import { Can } from 'data-client-auth/permissions';
import { ChallengeCancelledError } from 'data-client-auth/step-up';
import { useState } from 'react';
import { deleteClosedIssues, Issue, Issues } from './issues';

/** For maintainers. The request waits while `<Challenge>` asks for the password, and is sent again after it. */
export function DeleteClosedIssues() {
  const controller = useController();
  const deleteClosed = useEndpoint(deleteClosedIssues);
  const getList = Issues.useGetList();
  const [note, setNote] = useState('');
  const run = async () => {
    setNote('');
    try {
      await controller.fetch(deleteClosed);
      await controller.expireAll(getList);
    } catch (error) {
      setNote(error instanceof ChallengeCancelledError ? 'No issue was deleted.' : (error as Error).message);
    }
  };
  return (
    <Can action="deleteClosed" on={Issue}>
      <div className="actions">
        <button type="button" className="dca-button dca-danger" onClick={() => void run()}>
          Delete all closed issues
        </button>
        <span role="status">{note}</span>
      </div>
    </Can>
  );
}

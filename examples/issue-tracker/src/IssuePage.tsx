import { useController } from '@data-client/react';
import { Can } from 'data-client-auth/permissions';
import { ResourceDetail } from 'data-client-auth/widgets';
import { Link, useParams } from 'react-router';
import { Attachments } from './Attachments';
import { IssueBadges, IssueMeta, StateIcon } from './IssueMeta';
import { getTitle, Issues } from './issues';

export function IssuePage() {
  const { id = '' } = useParams();
  const controller = useController();
  const getList = Issues.useGetList();
  return (
    <>
      <p>
        <Link to="/issues">
          <span aria-hidden="true">← </span>All issues
        </Link>
      </p>
      <ResourceDetail
        resource={Issues}
        params={{ id }}
        label="Issue"
        deleteMode="undo"
        getItemLabel={getTitle}
        renderItem={(issue, { partialUpdate, remove, pending }) => {
          const isOpen = issue.state === 'open';
          const toggle = async () => {
            await partialUpdate({ state: isOpen ? 'closed' : 'open' });
            // The lists of open and of closed issues are outdated now.
            await controller.expireAll(getList);
          };
          return (
            <>
              <div className="issue">
                <StateIcon state={issue.state} />
                <div>
                  <h1>{issue.title}</h1>
                  <div className="facts">
                    <IssueBadges issue={issue} />
                    <IssueMeta issue={issue} />
                  </div>
                </div>
              </div>
              <p className="body">{issue.body}</p>
              <Attachments issue={issue} />
              <div className="actions">
                <Link className="dca-button" to={`/issues/${id}/comments`}>
                  Comments
                </Link>
                <Can action="update" on={issue} fallback={({ reason }) => <span className="meta">{reason}</span>}>
                  <Link className="dca-button" to={`/issues/${id}/edit`}>
                    Edit
                  </Link>
                  <button
                    type="button"
                    className="dca-button"
                    aria-disabled={pending}
                    onClick={() => void toggle().catch(() => undefined)}
                  >
                    {isOpen ? 'Close' : 'Reopen'}
                  </button>
                </Can>
                <Can action="delete" on={issue}>
                  <button type="button" className="dca-button dca-danger" onClick={() => void remove()}>
                    Delete
                  </button>
                </Can>
              </div>
            </>
          );
        }}
      />
    </>
  );
}

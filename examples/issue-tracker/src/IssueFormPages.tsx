import { Can } from 'data-client-auth/permissions';
import { ResourceDetail, ResourceForm } from 'data-client-auth/widgets';
import { Link, useNavigate, useParams } from 'react-router';
import { ISSUE_FIELDS, Issues } from './issues';

export function NewIssuePage() {
  const navigate = useNavigate();
  return (
    <>
      <h1>New issue</h1>
      <ResourceForm
        resource={Issues}
        action="unshift"
        // A new issue is open: it joins the lists with this filter.
        params={{ state: 'open' }}
        fields={ISSUE_FIELDS}
        submitLabel="Create issue"
        onSuccess={issue => void navigate(`/issues/${issue.id}`)}
        actions={
          <Link className="dca-button" to="/issues">
            Cancel
          </Link>
        }
      />
    </>
  );
}

export function EditIssuePage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  return (
    <>
      <h1>Edit issue</h1>
      <ResourceDetail
        resource={Issues}
        params={{ id }}
        className="no-card"
        renderItem={issue => (
          <Can action="update" on={issue} fallback={({ reason }) => <p>{reason}</p>}>
            <ResourceForm
              resource={Issues}
              action="partialUpdate"
              params={{ id }}
              initial={issue}
              fields={ISSUE_FIELDS}
              onSuccess={() => void navigate(`/issues/${id}`)}
              actions={
                <Link className="dca-button" to={`/issues/${id}`}>
                  Cancel
                </Link>
              }
            />
          </Can>
        )}
      />
    </>
  );
}

import { useSubscription } from '@data-client/react';
import { ResourceList } from 'data-client-auth/widgets';
import { Link, useParams } from 'react-router';
import { Comments } from './comments';
import { Person } from './Person';

/** The comments of an issue. Those of others appear while the page is open. */
export function CommentsPage() {
  const { id = '' } = useParams();
  useSubscription(Comments.useGetList(), { issue: id });
  return (
    <>
      <p>
        <Link to={`/issues/${id}`}>
          <span aria-hidden="true">← </span>Issue #{id}
        </Link>
      </p>
      <h1>Comments</h1>
      <ResourceList
        resource={Comments}
        params={{ issue: id }}
        label="Comments"
        renderItem={({ author, text }) => (
          <>
            <p>{text}</p>
            <p className="meta">
              <Person id={author} />
            </p>
          </>
        )}
        create={{ push: [{ name: 'text', label: 'Comment', type: 'textarea', required: true }] }}
      />
    </>
  );
}

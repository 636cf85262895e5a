import { useCache } from '@data-client/react';
import { Can } from 'data-client-auth/permissions';
import { PaginatedList, RowActions, useDebouncedParams, type ItemActions } from 'data-client-auth/widgets';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DeleteClosedIssues } from './DeleteClosedIssues';
import { getTitle, Issues, LABELS, type Issue, type IssueFilter } from './issues';
import { IssueBadges, IssueMeta, StateIcon } from './IssueMeta';

/** The issues that match the filter. The filter is in the address, so the back button returns to it. */
export function IssueListPage() {
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? 'open';
  const params = useDebouncedParams({
    state: state === 'all' ? undefined : state,
    label: search.get('label') ?? undefined,
    q: search.get('q') ?? undefined,
  });

  // All inputs at once: the router changes the address in a transition, so the address may lack a change that was made just before.
  const filter = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const filled = [...new FormData(currentTarget)].filter(([, value]) => value !== '');
    setSearch(filled as [string, string][], { replace: true });
  };

  return (
    <>
      <div className="title-bar">
        <h1>
          Issues <IssueCount params={params} />
        </h1>
        <Link className="dca-button dca-primary" to="/issues/new">
          New issue
        </Link>
      </div>
      <search>
        <form className="filter" onChange={filter} onSubmit={event => event.preventDefault()}>
          <label>
            State
            <span className="dca-select">
              <select className="dca-input" name="state" defaultValue={state}>
                <option value="open">Open</option>
                <option value="closed">Closed</option>
                <option value="all">All</option>
              </select>
            </span>
          </label>
          <label>
            Label
            <span className="dca-select">
              <select className="dca-input" name="label" defaultValue={search.get('label') ?? ''}>
                <option value="">Any</option>
                {LABELS.map(label => (
                  <option key={label}>{label}</option>
                ))}
              </select>
            </span>
          </label>
          <label className="grow">
            Title contains
            <input type="search" className="dca-input" name="q" defaultValue={search.get('q') ?? ''} />
          </label>
        </form>
      </search>
      {state === 'closed' && <DeleteClosedIssues />}
      <PaginatedList
        resource={Issues}
        params={params}
        label="Issues"
        renderItem={renderIssue}
        deleteMode="undo"
        getItemLabel={getTitle}
      />
    </>
  );
}

/** How many issues match, as the answer says that the list has fetched. */
function IssueCount({ params }: { params: IssueFilter }) {
  const list = useCache(Issues.useGetList(), params) as { count?: number } | undefined;
  return <span className="count">{list?.count}</span>;
}

/** Outside of the component: a new function at each render would render all rows again. */
function renderIssue(issue: Issue, { remove }: ItemActions<typeof Issues, Issue>) {
  return (
    <>
      <div className="issue">
        <StateIcon state={issue.state} />
        <div>
          <Link to={`/issues/${issue.id}`}>{issue.title}</Link> <IssueBadges issue={issue} />
          <IssueMeta issue={issue} />
        </div>
      </div>
      <RowActions itemLabel={issue.title}>
        <Can action="update" on={issue}>
          <Link className="dca-button" aria-label={`Edit “${issue.title}”`} to={`/issues/${issue.id}/edit`}>
            Edit
          </Link>
        </Can>
        <Can action="delete" on={issue}>
          <button
            type="button"
            className="dca-button dca-danger"
            aria-label={`Delete “${issue.title}”`}
            onClick={() => void remove()}
          >
            Delete
          </button>
        </Can>
      </RowActions>
    </>
  );
}

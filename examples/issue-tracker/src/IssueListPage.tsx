import { Can, PaginatedList, RowActions, useDebouncedParams, type ItemActions } from 'data-client-auth';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DeleteClosedIssues } from './DeleteClosedIssues';
import { getTitle, Issues, LABELS, type Issue } from './issues';
import { IssueMeta } from './IssueMeta';

/** The issues that match the filter. The filter is in the address, so the back button returns to it. */
export function IssueListPage() {
  const [search, setSearch] = useSearchParams();
  // The router changes the address in a transition, which is too late for the text of an input.
  const [text, setText] = useState(search.get('q') ?? '');
  const state = search.get('state') ?? 'open';
  const params = useDebouncedParams({
    state: state === 'all' ? undefined : state,
    label: search.get('label') ?? undefined,
    q: search.get('q') ?? undefined,
  });

  const setFilter = (name: string, value: string) =>
    setSearch(
      before => {
        const { [name]: _, ...others } = Object.fromEntries(before);
        return value === '' ? others : { ...others, [name]: value };
      },
      { replace: true },
    );
  return (
    <>
      <div className="title-bar">
        <h1>Issues</h1>
        <Link className="dca-button primary" to="/issues/new">
          New issue
        </Link>
      </div>
      <search className="filter">
        <label>
          State
          <select className="dca-input" value={state} onChange={event => setFilter('state', event.target.value)}>
            <option value="open">Open</option>
            <option value="closed">Closed</option>
            <option value="all">All</option>
          </select>
        </label>
        <label>
          Label
          <select
            className="dca-input"
            value={search.get('label') ?? ''}
            onChange={event => setFilter('label', event.target.value)}
          >
            <option value="">Any</option>
            {LABELS.map(label => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
        <label className="grow">
          Title contains
          <input
            type="search"
            className="dca-input"
            value={text}
            onChange={event => {
              setText(event.target.value);
              setFilter('q', event.target.value);
            }}
          />
        </label>
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

/** Outside of the component: a new function at each render would render all rows again. */
function renderIssue(issue: Issue, { remove }: ItemActions<typeof Issues, Issue>) {
  return (
    <>
      <div className="issue">
        <Link to={`/issues/${issue.id}`}>{issue.title}</Link>
        <IssueMeta issue={issue} />
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
            className="dca-button"
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

import { useId, useRef, useState, type PropsWithChildren } from 'react';
import { matchesSearch, wordsOf } from './matchesSearch';

/** Hides what does not have the words. Returns the number of rows that are left, or undefined for an empty search. */
function showMatches(content: HTMLElement, search: string): number | undefined {
  const words = wordsOf(search);
  const show = (part: HTMLElement) => (part.hidden = !matchesSearch(part.textContent, words));
  const rowsIn = (part: HTMLElement) => [...part.querySelectorAll<HTMLElement>('tbody tr')];
  rowsIn(content).forEach(show);
  for (const section of content.querySelectorAll('section')) {
    show(section);
    // A section that is found by its heading or its text shows all of its rows.
    const rows = rowsIn(section);
    if (!section.hidden && rows.every(row => row.hidden)) rows.forEach(row => (row.hidden = false));
  }
  if (words.length === 0) return undefined;
  return rowsIn(content).filter(row => !row.closest('[hidden]')).length;
}

/** A search above tables: shows the rows that have the words, and the sections that have such rows. */
export function Searchable({ children }: PropsWithChildren) {
  const [count, setCount] = useState<number>();
  const content = useRef<HTMLDivElement>(null);
  const id = useId();
  return (
    <div>
      <p className="searchable">
        <label htmlFor={id}>Search this page</label>
        <input
          id={id}
          type="search"
          onChange={event => content.current && setCount(showMatches(content.current, event.target.value))}
        />
        <span role="status">{count !== undefined && `${count} found`}</span>
      </p>
      <div ref={content} className="searched">
        {children}
      </div>
    </div>
  );
}

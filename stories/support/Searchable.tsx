import { useId, useRef, useState, type PropsWithChildren } from 'react';
import { findTexts, matchesSearch, wordsOf } from './matchesSearch';

/** Hides what does not have the words. Returns the number of rows that are left, or undefined for an empty search. */
function showMatches(content: HTMLElement, search: string): number | undefined {
  const rowsIn = (part: HTMLElement) => [...part.querySelectorAll<HTMLElement>('tbody tr')];
  const rows = rowsIn(content);
  const found = findTexts(
    rows.map(row => row.textContent),
    search,
  );
  rows.forEach((row, index) => (row.hidden = !found.has(index)));
  for (const section of content.querySelectorAll('section')) {
    const inside = rowsIn(section);
    if (inside.some(row => !row.hidden)) section.hidden = false;
    else {
      // A section that is found by its heading or its text shows all of its rows.
      section.hidden = !matchesSearch(section.textContent, wordsOf(search));
      inside.forEach(row => (row.hidden = false));
    }
  }
  return search.trim() ? rows.filter(row => !row.closest('[hidden]')).length : undefined;
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

// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ENGLISH_LABELS } from '../../src/widgets/labels/englishLabels.js';
import { PageNavigation } from '../../src/widgets/pagination/PageNavigation.js';

afterEach(cleanup);

function TenPages({ first }: { first: number }) {
  const [page, setPage] = useState(first);
  const overview = { count: 10, total: 40, size: 4, hasNext: page < 10 };
  return <PageNavigation page={page} overview={overview} labels={ENGLISH_LABELS} goTo={setPage} />;
}

test.each([
  [2, 10],
  [10, 9],
  [9, 1],
  [5, 6],
  [6, 5],
])('from page %i to page %i: the pressed button keeps the focus', (first, pressed) => {
  render(<TenPages first={first} />);
  const button = screen.getByRole('button', { name: `Page ${pressed}` });
  button.focus();
  fireEvent.click(button);
  expect(button.getAttribute('aria-current')).toBe('page');
  expect(document.activeElement).toBe(button);
});

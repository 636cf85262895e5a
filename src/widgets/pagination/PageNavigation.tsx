import type { ReactNode } from 'react';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import type { PageOverview } from './pageOverview.js';

interface PageNavigationProps {
  page: number;
  /** Undefined until a page has been loaded. */
  overview: PageOverview | undefined;
  /** True if the pages are those of another filter. The buttons stay, so that nothing moves. Only the one of the first page works. @default false */
  isOutdated?: boolean;
  /** The name of the list. */
  label?: string | undefined;
  labels: WidgetLabels;
  goTo: (page: number) => void;
}

/** The buttons that choose a page: the previous and the next one, the first and the last one, and those around the current one. */
export function PageNavigation({
  page,
  overview,
  isOutdated = false,
  label,
  labels,
  goTo,
}: PageNavigationProps): ReactNode {
  const showsOutdated = useDelayedFlag(isOutdated);
  // Another filter may have no further page.
  const isDisabled = (next: number) => showsOutdated && next > 1;
  const goToIfCurrent = (next: number) => () => (isOutdated && next > 1) || goTo(next);
  const { count, hasNext: saysNext = false } = overview ?? {};
  // The response may be that of another page: the one before a page that is gone.
  const hasNext = count === undefined ? saysNext : page < count;
  if (page === 1 && !hasNext) return null;
  const shown = pagesAround(page, count ?? page);
  return (
    <nav className="dca-pages" aria-label={label ? `${labels.pages}: ${label}` : labels.pages}>
      <StepButton
        goTo={page > 1 && !isDisabled(page - 1) ? goToIfCurrent(page - 1) : undefined}
        label={labels.previousPage}
      />
      {/* One flat list: a button keeps the focus when other numbers appear before it. */}
      {shown.flatMap((number, index) => [
        index > 0 && number > (shown[index - 1] as number) + 1 && (
          <span key={`before ${number}`} aria-hidden="true">
            …
          </span>
        ),
        <button
          key={number}
          type="button"
          className="dca-button"
          aria-label={labels.page(number)}
          aria-current={number === page ? 'page' : undefined}
          aria-disabled={isDisabled(number) || undefined}
          onClick={number === page ? undefined : goToIfCurrent(number)}
        >
          {findNumber(labels.page(number)) ?? number}
        </button>,
      ])}
      <StepButton
        goTo={hasNext && !isDisabled(page + 1) ? goToIfCurrent(page + 1) : undefined}
        label={labels.nextPage}
      />
    </nav>
  );
}

/** The first number of a text, in the digits of its language: `1.250` of `Seite 1.250`. So the name of a button has what the button shows (WCAG 2.5.3). */
function findNumber(text: string): string | undefined {
  return /\p{Nd}+(?:[^\p{L}\p{Nd}]\p{Nd}+)*/u.exec(text)?.[0];
}

/** Not `disabled` at the first or the last page: a disabled button loses the focus. */
function StepButton({ goTo, label }: { goTo: (() => void) | undefined; label: string }) {
  return (
    <button type="button" className="dca-button" aria-disabled={!goTo} onClick={goTo}>
      {label}
    </button>
  );
}

/** The first and the last page, the current one and its neighbours; also a page that alone would be left out between them. */
function pagesAround(page: number, count: number): number[] {
  const near = [1, page - 1, page, page + 1, count];
  if (page === 4) near.push(2);
  if (page === count - 3) near.push(count - 1);
  return [...new Set(near)].filter(number => number >= 1 && number <= Math.max(count, page)).sort((a, b) => a - b);
}

import { useController, type Controller } from '@data-client/react';
import { useState, type ReactNode } from 'react';
import { expireSoon } from '../../dataClient/deletions.js';
import { useLastReset } from '../../dataClient/useLastReset.js';
import { getOrCreate } from '../../getOrCreate.js';
import { useWidgetLabels, type WidgetLabels } from '../labels/WidgetLabels.js';
import { ListBase } from '../list/ListBase.js';
import type { ListOptions } from '../list/ResourceListProps.js';
import { ErrorView } from '../shared/ErrorView.js';
import { paramsKey, useStableParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { fieldKind } from './NextPage.js';
import { PageNote, ShownPages, type PageOverview } from './PageNote.js';

interface NumberedListProps {
  list: ListOptions;
  /** @default the list's own state */
  page: number | undefined;
  onPageChange: ((page: number) => void) | undefined;
  /** @default the number, as `paginationField` or as `page` */
  pageParams: ((page: number) => LooseParams) | undefined;
}

/** A list that shows one page at a time. Each page is a list of its own in the store. */
export function NumberedList({ list, page: pageOfApp, onPageChange, pageParams }: NumberedListProps): ReactNode {
  const controller = useController();
  const endpoint = list.resource.useGetList() as LooseEndpoint;
  const params = useStableParams(list.params);
  const labels = useWidgetLabels(list.labels);
  const lastReset = useLastReset();
  const field = endpoint.paginationField ?? 'page';
  const toSearch = pageParams ?? numbering(field);

  // Other params show the first page of another list.
  const source = params && paramsKey(params);
  const [own, setOwn] = useState({ source, page: 1 });
  const chosen = pageOfApp ?? (own.source === source ? own.page : 1);
  // The app's number may come from a URL that anybody can write.
  const page = Number.isSafeInteger(chosen) && chosen > 0 ? chosen : 1;
  const [known, setKnown] = useState<{ overview: PageOverview; lastReset: unknown }>();
  // What was known before the store was emptied is not for the user who has signed in.
  const overview = known && known.lastReset === lastReset ? known.overview : undefined;

  const goTo = (next: number) => {
    setOwn({ source, page: next });
    onPageChange?.(next);
  };
  const keyOfPage = (number: number) => endpoint.key({ ...params, ...toSearch(number) });
  const ensurePages = () => ensureShownPages(controller, endpoint.key({ ...params }));
  /** Returns a test for keys: those of the pages that may be in the store, which were shown or are requested now. */
  const testPage = (except?: string) => {
    const keys = new Set([...ensurePages().keys, keyOfPage(page)]);
    return (key: string) => keys.has(key) && key !== except;
  };
  const showChangedPages = (isEmpty: boolean) => {
    const leavesPage = isEmpty && page > 1;
    // A page that is left is not fetched again: there may be none any more.
    expireSoon(controller, testPage(leavesPage ? keyOfPage(page) : undefined));
    if (leavesPage) goTo(page - 1);
  };

  const options = page > 1 ? toListOfFurtherPage(list, labels) : list;
  return (
    <>
      <ListBase
        list={options}
        page={{
          search: toSearch(page),
          expire: () => controller.expireAll({ testKey: testPage() }),
          invalidate: () => controller.invalidateAll({ testKey: testPage() }),
        }}
        after={loaded => (
          <PageNote
            list={loaded}
            page={page}
            pageKey={keyOfPage(page)}
            pages={ensurePages()}
            field={field}
            known={overview}
            onOverview={loadedOverview => setKnown({ overview: loadedOverview, lastReset })}
            onChanged={showChangedPages}
          />
        )}
      />
      <PageNavigation page={page} overview={overview} label={list.label} labels={labels} goTo={goTo} />
    </>
  );
}

/** A page after the first one may be empty, or gone: that has a text of its own, and does not mean that the list is empty. */
function toListOfFurtherPage(list: ListOptions, labels: WidgetLabels): ListOptions {
  const { emptyPage } = labels;
  return {
    ...list,
    isFiltered: false,
    empty: <p>{emptyPage}</p>,
    renderError: list.renderError ?? (failure => <ErrorView {...failure} labels={labels} notFound={emptyPage} />),
    labels: { ...list.labels, empty: emptyPage },
  };
}

/** By store and list. They outlive the widget, as the pages do. */
const pagesByStore = new WeakMap<Controller, Map<string, ShownPages>>();

/** The pages of a list that were shown: none, when it is shown for the first time. */
function ensureShownPages(controller: Controller, listKey: string): ShownPages {
  const lists = getOrCreate(pagesByStore, controller, () => new Map<string, ShownPages>());
  return getOrCreate(lists, listKey, () => new ShownPages());
}

/** @throws an error when the field names no page numbers. */
function numbering(field: string): (page: number) => LooseParams {
  if (fieldKind(field) === 'page') return page => ({ [field]: page });
  throw new Error(
    `<PaginatedList paginated="pages"> needs page numbers, and the paginationField of the resource is \`${field}\`. Say how a page is requested: pageParams={page => ({ offset: (page - 1) * 20, limit: 20 })}.`,
  );
}

interface PageNavigationProps {
  page: number;
  /** Undefined until a page has been loaded. */
  overview: PageOverview | undefined;
  /** The name of the list. */
  label?: string | undefined;
  labels: WidgetLabels;
  goTo: (page: number) => void;
}

/** The buttons that choose a page: the previous and the next one, the first and the last one, and those around the current one. */
export function PageNavigation({ page, overview, label, labels, goTo }: PageNavigationProps): ReactNode {
  const { count, hasNext = false } = overview ?? {};
  if (page === 1 && !hasNext) return null;
  const shown = pagesAround(page, count ?? page);
  return (
    <nav className="dca-pages" aria-label={label ? `${labels.pages}: ${label}` : labels.pages}>
      <StepButton goTo={page > 1 ? () => goTo(page - 1) : undefined} label={labels.previousPage} />
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
          onClick={number === page ? undefined : () => goTo(number)}
        >
          {number.toLocaleString()}
        </button>,
      ])}
      <StepButton goTo={hasNext ? () => goTo(page + 1) : undefined} label={labels.nextPage} />
    </nav>
  );
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

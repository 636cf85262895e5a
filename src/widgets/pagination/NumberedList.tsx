import { useController } from '@data-client/react';
import { useState, type ReactNode } from 'react';
import { expireSoon } from '../../dataClient/deletions.js';
import { useLastReset } from '../../dataClient/useLastReset.js';
import { isDevelopment } from '../../isDevelopment.js';
import { useWidgetLabels, type WidgetLabels } from '../labels/WidgetLabels.js';
import { ListBase } from '../list/ListBase.js';
import type { ListOptions } from '../list/ResourceListProps.js';
import { fieldKind } from '../nextPage/pageParams.js';
import { ErrorView } from '../shared/ErrorView.js';
import { paramsKey, useStableParams, withoutSearch, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { PageNavigation } from './PageNavigation.js';
import type { PageOverview } from './pageOverview.js';
import { PageNote } from './PageNote.js';

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
  const field = endpoint.paginationField ?? 'page';
  const toSearch = pageParams ?? numbering(field);

  // Other params show the first page of another list.
  const source = params && paramsKey(params);
  const [own, setOwn] = useState({ source, page: 1 });
  const chosen = pageOfApp ?? (own.source === source ? own.page : 1);
  // The app's number may come from a URL that anybody can write.
  const page = Number.isSafeInteger(chosen) && chosen > 0 ? chosen : 1;
  const lastReset = useLastReset();
  const [known, setKnown] = useState<{ overview: PageOverview; source: string | null; lastReset: unknown }>();
  // What was known before the store was emptied is not for the user who has signed in.
  const overview = known?.lastReset === lastReset ? known?.overview : undefined;

  const goTo = (next: number) => {
    setOwn({ source, page: next });
    onPageChange?.(next);
  };
  const keyOfPage = (number: number) => endpoint.key({ ...params, ...toSearch(number) });
  /** True for the pages of this list, also with another filter. */
  const testPage = (key: string) => withoutSearch(key) === withoutSearch(keyOfPage(page));
  const showChangedPages = (isEmpty: boolean) => {
    const leftKey = isEmpty && page > 1 ? keyOfPage(page) : undefined;
    // A page that is left is not fetched again: there may be none any more.
    expireSoon(controller, key => testPage(key) && key !== leftKey);
    if (leftKey) goTo(page - 1);
  };

  const options = page > 1 ? toListOfFurtherPage(list, labels) : list;
  return (
    <>
      <ListBase
        list={options}
        page={{
          search: toSearch(page),
          expire: () => controller.expireAll({ testKey: testPage }),
          invalidate: () => controller.invalidateAll({ testKey: testPage }),
        }}
        after={loaded => (
          <PageNote
            list={loaded}
            page={page}
            source={source}
            field={field}
            known={overview}
            onOverview={newest => setKnown({ overview: newest, source, lastReset })}
            onChanged={showChangedPages}
          />
        )}
      />
      <PageNavigation
        page={page}
        overview={overview}
        isOutdated={overview !== undefined && known?.source !== source}
        label={list.label}
        labels={labels}
        goTo={goTo}
      />
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

/** @throws an error when the field names no page numbers. */
function numbering(field: string): (page: number) => LooseParams {
  if (fieldKind(field) === 'page') return page => ({ [field]: page });
  throw new Error(
    isDevelopment
      ? `<PaginatedList paginated="pages"> needs page numbers, and the paginationField of the resource is \`${field}\`. Say how a page is requested: pageParams={page => ({ offset: (page - 1) * 20, limit: 20 })}.`
      : `The paginationField ${field} names no page numbers.`,
  );
}

/** A list as far as it has been loaded, for a strategy that tells the next page. */
export interface LoadedPages {
  /** The newest answer: the rows themselves, or the object that holds them. */
  readonly body: unknown;
  /** All rows on the screen. */
  readonly items: readonly object[];
  /** How many pages have been loaded. */
  readonly pages: number;
  /** How many rows the last of them brought. */
  readonly lastPageSize: number;
  /** The primary key of the last row that it brought. */
  readonly lastKey: string | undefined;
  /** The resource's `paginationField`. */
  readonly field: string | undefined;
}

/** Tells the search params that the next page is asked for with; undefined at the end of the list. */
export type NextPage = (loaded: LoadedPages) => Readonly<Record<string, string | number>> | undefined;

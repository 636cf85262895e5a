// What is known of the pages of a numbered list, from one page to the next.
import type { Controller } from '@data-client/react';
import { useState } from 'react';
import { useLastReset } from '../../dataClient/useLastReset.js';
import { getOrCreate } from '../../getOrCreate.js';
import type { PageOverview } from './pageOverview.js';

/** The pages of one list that were shown. */
export class ShownPages {
  readonly #keys = new Set<string>();
  #deletions: number | undefined;

  /** The keys of the pages in the store. */
  get keys(): readonly string[] {
    return [...this.#keys];
  }

  /** Remembers a page. True if rows were deleted since the last call, also while the list was not shown. */
  noteShown(key: string, deletions: number): boolean {
    this.#keys.add(key);
    const isDeleted = deletions > (this.#deletions ?? deletions);
    this.#deletions = deletions;
    return isDeleted;
  }
}

/** By store and list. They outlive the widget, as the pages do. */
const pagesByStore = new WeakMap<Controller, Map<string, ShownPages>>();

/** The pages of a list that were shown: none, when it is shown for the first time. */
export function ensureShownPages(controller: Controller, listKey: string): ShownPages {
  const lists = getOrCreate(pagesByStore, controller, () => new Map<string, ShownPages>());
  return getOrCreate(lists, listKey, () => new ShownPages());
}

interface KnownOverview {
  /** What the newest page has said about all pages. Undefined until a page has been loaded. */
  readonly overview: PageOverview | undefined;
  /** True if that page was one of other params: another filter may have fewer pages. */
  readonly isOutdated: boolean;
  readonly setOverview: (overview: PageOverview) => void;
}

/** @param source Identifies the list by its params. */
export function useKnownOverview(source: string | null): KnownOverview {
  const lastReset = useLastReset();
  const [known, setKnown] = useState<{ overview: PageOverview; source: string | null; lastReset: unknown }>();
  // What was known before the store was emptied is not for the user who has signed in.
  const overview = known && known.lastReset === lastReset ? known.overview : undefined;
  return {
    overview,
    isOutdated: overview !== undefined && known?.source !== source,
    setOverview: newest => setKnown({ overview: newest, source, lastReset }),
  };
}

import { useEffect, useMemo, useState } from 'react';

/** How long a person pauses between two keys, at most, while they go on typing. */
const QUIET_MS = 250;

export interface DebounceOptions {
  /** How long the params have to stay the same, in milliseconds. @default 250 */
  quietMs?: number;
}

/** The same params without those that are undefined. */
type DefinedParams<P> = { [K in keyof P]: Exclude<P[K], undefined> };

/**
 * The params of a list as they were when they last stood still: a filter that is typed is asked for once, not at each key.
 *
 * The first ones are there at once. Undefined ones are left out; params that say the same are the same object.
 *
 * @example
 * const [title, setTitle] = useState('');
 * const params = useDebouncedParams({ title: title || undefined });
 * <input type="search" aria-label="Title" value={title} onChange={event => setTitle(event.target.value)} />
 * <ResourceList resource={ArticleResource} params={params} renderItem={article => article.title} />
 */
export function useDebouncedParams<P extends object | null>(params: P, { quietMs = QUIET_MS }: DebounceOptions = {}): DefinedParams<P> {
  const text = JSON.stringify(params);
  const [settled, setSettled] = useState(text);

  useEffect(() => {
    if (settled === text) return;
    const timer = setTimeout(() => setSettled(text), quietMs);
    return () => clearTimeout(timer);
  }, [settled, text, quietMs]);

  return useMemo(() => JSON.parse(settled) as DefinedParams<P>, [settled]);
}

import { useEffect, useState } from 'react';

/** How long a person pauses between two keys, at most, while they go on typing. */
const QUIET_MS = 250;

export interface DebounceOptions {
  /** How long the params have to stay the same. @default 250 milliseconds */
  quietMs?: number;
}

/**
 * The params of a list as they were when they last stood still: a filter that is typed is asked for once, not at each key.
 *
 * The first ones are there at once. Params that say the same are the same object.
 *
 * @example
 * const [title, setTitle] = useState('');
 * const params = useDebouncedParams(title === '' ? {} : { title });
 * <input type="search" aria-label="Title" value={title} onChange={event => setTitle(event.target.value)} />
 * <ResourceList resource={ArticleResource} params={params} renderItem={article => article.title} />
 */
export function useDebouncedParams<P extends object>(params: P, { quietMs = QUIET_MS }: DebounceOptions = {}): P {
  const text = JSON.stringify(params);
  const [settled, setSettled] = useState({ text, params });
  const isSettled = settled.text === text;

  useEffect(() => {
    if (isSettled) return;
    const timer = setTimeout(() => setSettled({ text, params: JSON.parse(text) as P }), quietMs);
    return () => clearTimeout(timer);
  }, [text, isSettled, quietMs]);

  return settled.params;
}

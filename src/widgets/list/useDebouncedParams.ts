import { useEffect, useMemo, useState } from 'react';
import { warnOfLostParams } from '../../endpoints/addressMistakes.js';
import { isDevelopment } from '../../isDevelopment.js';

/** Longer than the pause between two keys of a user who is typing. */
const QUIET_MS = 250;

export interface DebounceOptions {
  /** How long the params must stay the same, in milliseconds. @default 250 */
  quietMs?: number;
}

/** The same params without undefined ones. */
type DefinedParams<P> = { [K in keyof P]: Exclude<P[K], undefined> };

/**
 * Debounces the params of a list, so that a filter is fetched when the user pauses and not at each key.
 *
 * The first params are returned at once. Undefined ones are left out. Equal params are the same object.
 *
 * @example
 * const [title, setTitle] = useState('');
 * const params = useDebouncedParams({ title: title || undefined });
 * <input type="search" aria-label="Title" value={title} onChange={event => setTitle(event.target.value)} />
 * <ResourceList resource={Articles} params={params} renderItem={article => article.title} />
 */
export function useDebouncedParams<P extends object | null>(
  params: P,
  { quietMs = QUIET_MS }: DebounceOptions = {},
): DefinedParams<P> {
  if (isDevelopment) warnOfLostParams(params);
  const text = JSON.stringify(params);
  const [settled, setSettled] = useState(text);

  // Do not wait for `compositionend`: Android keyboards compose every word, so the list would not change before the space. The same is true
  // for Korean.
  useEffect(() => {
    if (settled === text) return;
    const timer = setTimeout(() => setSettled(text), quietMs);
    return () => clearTimeout(timer);
  }, [settled, text, quietMs]);

  return useMemo(() => JSON.parse(settled) as DefinedParams<P>, [settled]);
}

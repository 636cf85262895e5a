import { useEffect } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import type { LooseEndpoint } from '../shared/resource.js';
import type { DetectedPage } from './detectNextPage.js';
import type { NextPage } from './NextPage.js';

/** Why no further page can be loaded although there may be one. Names the fields of the response, never their values. */
export function describeUnclearEnd(
  state: DetectedPage['state'],
  isComplete: boolean,
  next: NextPage | undefined,
  response: unknown,
): string | undefined {
  if (!isDevelopment) return undefined;
  const shape = Array.isArray(response) ? 'a bare list' : `an object with ${Object.keys(response ?? {}).join(', ')}`;
  if (state === 'unknown')
    return next
      ? `answered ${shape}, and the \`next\` prop of PaginatedList names a page that was loaded before. Check the prop, and whether the server reads its search param.`
      : `answered ${shape}, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its \`next\` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.`;
  return next && state === 'end' && !isComplete
    ? `answered ${shape}. Its total says that there are more rows, but the \`next\` prop of PaginatedList found no further page. Check the options of the prop.`
    : undefined;
}

/** Warns in development, once for each list. */
export function useUnclearEndWarning({ path }: LooseEndpoint, text: string | undefined): void {
  useEffect(() => {
    if (isDevelopment && text) warnOnce(`GET ${path} ${text}`);
  }, [path, text]);
}

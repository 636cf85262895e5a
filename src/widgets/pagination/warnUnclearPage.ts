/** Bundlers replace `process.env.NODE_ENV`, as they do in data-client. */
declare const process: { env: { NODE_ENV?: string } };

const warned = new Set<string>();

/** Says in development, once for each list, that its `next` page is not known. It names the fields of the response, never their values. */
export function warnUnclearPage(list: string, response: unknown): void {
  if (process.env.NODE_ENV === 'production' || warned.has(list)) return;
  warned.add(list);
  console.warn(unclearPageText(list, response));
}

function unclearPageText(list: string, response: unknown): string {
  const shape = Array.isArray(response) ? 'a bare list' : `an object with ${Object.keys(response ?? {}).join(', ')}`;
  return `data-client-auth: ${list} answered ${shape}, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its \`next\` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.`;
}

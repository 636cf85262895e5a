const warned = new Set<string>();

/** Writes a warning to the console, once on a page. Call it in development only. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`data-client-auth: ${text}`);
}

import type { Page } from 'playwright';

/** Keeps what a page says to its console and as uncaught errors; together with what stands on it, on demand, as one text. */
export function recordMessages(page: Page) {
  const said: string[] = [];
  page.on('console', message => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => said.push(`uncaught: ${error.message} ${error.stack ?? ''}`));
  return {
    /** What was said so far. */
    said,
    /** What was said, what stands in the document, and what an app could serialize. */
    everything: async () =>
      [...said, await page.content(), await page.evaluate(() => window.app.serialized())].join('\n'),
  };
}

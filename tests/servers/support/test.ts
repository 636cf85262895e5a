import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, inject } from 'vitest';
import { recordMessages } from '../../browser/support/recordMessages.js';
import { test as browserTest } from '../../browser/support/test.js';
import type { ServerLog } from './createServerLog.js';
import type { ServerOptions } from './ServerOptions.js';

/** A server as the tests see it, whatever its sign-in. */
export interface RealServer {
  readonly url: string;
  readonly log: ServerLog;
  /** What no page may show. */
  secrets(): readonly string[];
  close(): Promise<void>;
}

interface Fixtures {
  /** Starts a server that stops with the test. */
  start: <S extends RealServer>(make: (options: ServerOptions) => Promise<S>) => Promise<S>;
  /** Opens the app in a new tab of the browser; what it has shown and said at the end of the test holds no token. */
  openApp: (server: RealServer, search: Record<string, string>) => Promise<Page>;
}

/** Tests in a real browser, against servers whose sign-in is somebody else's. */
export const test = browserTest.extend<Fixtures>({
  start: async ({}, give) => {
    const folder = await mkdtemp(join(tmpdir(), 'notes-'));
    const servers: RealServer[] = [];
    await give(async make => {
      const server = await make({ pages: inject('pages'), file: join(folder, `${servers.length}.sqlite`) });
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map(server => server.close()));
    await rm(folder, { recursive: true });
  },
  openApp: async ({ context }, give) => {
    const desks: { page: Page; server: RealServer; said: string[] }[] = [];
    await give(async (server, search) => {
      const page = await context.newPage();
      desks.push({ page, server, said: recordMessages(page).said });
      await page.goto(`${server.url}/?${new URLSearchParams(search).toString()}`);
      return page;
    });
    for (const { page, server, said } of desks) {
      const open = page.isClosed() ? '' : await page.content();
      const seen = [...said, open].join('\n');
      expect(server.secrets().filter(secret => seen.includes(secret))).toEqual([]);
    }
  },
});

import type { BrowserContext, Page } from 'playwright';
import { describe } from 'vitest';
import type { ApiServer } from './support/apiServer.js';
import { eventually, press, test } from './support/test.js';

type StartServer = (options: { build: 'development' }) => Promise<ApiServer>;

async function openPage(context: BrowserContext, startServer: StartServer, mode = 'plain'): Promise<Page> {
  const { url } = await startServer({ build: 'development' });
  const page = await context.newPage();
  await page.goto(`${url}/page?props=${mode}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('ada').waitFor();
  return page;
}

const notes = (page: Page) => page.evaluate<string[]>('notes');

describe.each(['plain', 'strict'])('managers of a provider, in %s mode', mode => {
  test('another session: the managers of the first one end before those of the next one start', async ({
    context,
    startServer,
  }) => {
    const page = await openPage(context, startServer, mode);
    await press(page, 'Other session');
    await page.getByText('grace').waitFor();
    await eventually(() => notes(page), ['init ada', 'cleanup ada', 'init grace']);
  });

  test('another key: the managers of the first provider end before those of the next one start', async ({
    context,
    startServer,
  }) => {
    const page = await openPage(context, startServer, mode);
    await press(page, 'Other key');
    await eventually(() => notes(page), ['init ada', 'cleanup ada', 'init ada']);
  });
});

import { expect } from 'vitest';
import { test } from './support/test.js';

test('a page that was hidden while the user changed shows the user of now as soon as it is shown', async ({
  context,
  startServer,
}) => {
  const { url } = await startServer({ build: 'production' });
  const page = await context.newPage();
  await page.goto(`${url}/page?hidden`);
  const name = page.locator('#name');
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.locator('#loading').waitFor();
  expect(await name.isVisible()).toBe(false);
  expect(await name.textContent()).toBe('Ada');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.locator('#part').waitFor();
  expect(await name.isVisible()).toBe(true);
  expect(await name.textContent()).toBe('Grace');
});

import type { Page } from 'playwright';

/** Storybook's sidebar lists no proof until its filter says so. */
export async function showProofs(page: Page): Promise<void> {
  const proofs = page.locator('[data-item-id="proofs"]').first();
  if (await proofs.isVisible()) return;
  await page.getByRole('button', { name: '1 active tag filter' }).click();
  await page.getByRole('checkbox', { name: 'tag filter: exclude proof' }).uncheck({ force: true });
  await proofs.waitFor();
  await page.keyboard.press('Escape');
}

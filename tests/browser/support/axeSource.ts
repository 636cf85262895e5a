import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The accessibility checker that Storybook's own addon runs, as a script for `page.evaluate`. It sets `window.axe`. */
export const axeSource = () =>
  readFileSync(createRequire(require.resolve('@storybook/addon-a11y/package.json')).resolve('axe-core'), 'utf8');

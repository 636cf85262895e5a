// addon-a11y checks each story in the light theme. This file checks its colours in the dark theme.
import { showTheme } from './theme.js';

/** Returns one line for each element with too little contrast in the dark theme. */
export async function darkContrastProblems(root: HTMLElement): Promise<string[]> {
  const { default: axe } = await import('axe-core');
  showTheme('dark');
  try {
    const { violations } = await axe.run(root, { runOnly: ['color-contrast'], resultTypes: ['violations'] });
    return violations.flatMap(({ nodes }) =>
      nodes.map(({ html, any }) => `too little contrast in the dark theme: ${html} ${any[0]?.message ?? ''}`),
    );
  } finally {
    showTheme();
  }
}

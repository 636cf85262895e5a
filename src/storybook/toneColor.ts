import type { Theme } from 'storybook/theming';

/** What a colour says; the word beside it always says it too. */
export type Tone = 'plain' | 'muted' | 'positive' | 'negative' | 'warning' | 'info';

/** At least 4.5 to 1 on Storybook's own backgrounds; its theme has one shade of each for both. */
const LIGHT: Record<Tone, string> = { plain: 'inherit', muted: '#59636e', positive: '#1a7037', negative: '#c0262d', warning: '#8a4b00', info: '#0b5cad' };
const DARK: Record<Tone, string> = { plain: 'inherit', muted: '#a3adb8', positive: '#6fcf8e', negative: '#ff8f8f', warning: '#f0b45a', info: '#7cc0ff' };

export function toneColor(theme: Theme, tone: Tone): string {
  return (theme.base === 'dark' ? DARK : LIGHT)[tone];
}

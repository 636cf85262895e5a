import type { Theme } from 'storybook/theming';

/** The meaning of a colour. The text always has the same meaning. */
export type Tone = 'plain' | 'muted' | 'positive' | 'negative' | 'warning' | 'info';

/** Colours with a contrast of at least 4.5 to 1 on Storybook's backgrounds. Storybook's theme has only one shade for light and dark. */
const LIGHT: Record<Tone, string> = {
  plain: 'inherit',
  muted: '#59636e',
  positive: '#1a7037',
  negative: '#c0262d',
  warning: '#8a4b00',
  info: '#0b5cad',
};
const DARK: Record<Tone, string> = {
  plain: 'inherit',
  muted: '#a3adb8',
  positive: '#6fcf8e',
  negative: '#ff8f8f',
  warning: '#f0b45a',
  info: '#7cc0ff',
};

export function toneColor(theme: Theme, tone: Tone): string {
  return (theme.base === 'dark' ? DARK : LIGHT)[tone];
}

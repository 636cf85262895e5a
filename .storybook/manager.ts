// Storybook's window around the stories: its name, its theme, and the requests panel.
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';
import '../src/storybook/manager.js';

const brandTitle = 'data-client-auth';
const themes = { light: create({ base: 'light', brandTitle }), dark: create({ base: 'dark', brandTitle }) };
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = () => themes[prefersDark.matches ? 'dark' : 'light'];

// The requests panel is open until the reader chooses another one.
addons.setConfig({
  theme: systemTheme(),
  selectedPanel: 'data-client-auth/requests/panel',
  // The sidebar fits on a screen: a reader opens what comes after the first weeks, or searches.
  sidebar: { collapsedRoots: ['advanced', 'recipes', 'reference', 'providers', 'mechanisms'] },
});

// The theme that is chosen in the toolbar applies to the whole window.
addons.register('data-client-auth/theme', api => {
  let chosen: unknown;
  const show = () =>
    api.setOptions({ theme: chosen === 'light' || chosen === 'dark' ? themes[chosen] : systemTheme() });
  const onGlobals = ({ globals }: { globals: Record<string, unknown> }) => {
    chosen = globals.theme;
    show();
  };
  api.on(SET_GLOBALS, onGlobals);
  api.on(GLOBALS_UPDATED, onGlobals);
  prefersDark.addEventListener('change', show);
});

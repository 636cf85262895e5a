// The theme of a story or a docs page, light or dark; and the choices of the toolbar, for the frames of the examples on a docs page.
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

type Globals = Record<string, unknown>;

/**
 * A docs page writes the choices of the toolbar into this attribute, and its frames read them when they load. After each change, Storybook
 * mounts the page and its frames again. So a frame must not announce globals: the page would mount again and again.
 */
const ATTRIBUTE = 'data-chosen';

/** The theme of the toolbar. The addon brings the other choices. */
export const themeGlobalType = {
  description: 'Theme: light or dark',
  toolbar: {
    title: 'Theme',
    icon: 'mirror' as const,
    dynamicTitle: true,
    items: Object.entries({ system: 'System', light: 'Light', dark: 'Dark' }).map(([value, title]) => ({
      value,
      title: `Theme: ${title}`,
    })),
  },
};

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: unknown;

/** Calls the listener when the theme changes. Returns the function that ends it. */
export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The current theme. */
export function shownTheme(): 'light' | 'dark' {
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return prefersDark.matches ? 'dark' : 'light';
}

/** System colours, such as Canvas, follow the colour scheme of the root. */
export function showTheme(theme: 'light' | 'dark' = shownTheme()): void {
  document.documentElement.style.colorScheme = theme;
}

/** The choices of the docs page around this frame. Undefined without such a page. */
export function globalsOfThePage(): Globals | undefined {
  const written = surroundingRoot()?.getAttribute(ATTRIBUTE);
  return written ? (JSON.parse(written) as Globals) : undefined;
}

function surroundingRoot(): Element | undefined {
  try {
    return window.parent === window ? undefined : window.parent.document.documentElement;
  } catch {
    // The page around the frame is of another origin.
    return undefined;
  }
}

/**
 * Writes the attribute only if it changes. The events of a frame also reach the page around it, so each write could cause the next one.
 */
function writeChoices(globals: Globals): void {
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(globals).sort(([one], [other]) => one.localeCompare(other))),
  );
  const root = document.documentElement;
  if (root.getAttribute(ATTRIBUTE) !== text) root.setAttribute(ATTRIBUTE, text);
}

function change(): void {
  showTheme();
  for (const listener of listeners) listener();
}

prefersDark.addEventListener('change', change);

void addons.ready().then(channel => {
  const onGlobals = ({ globals, userGlobals = globals }: { globals: Globals; userGlobals?: Globals }) => {
    chosen = globals.theme;
    change();
    writeChoices(userGlobals);
  };
  channel.on(SET_GLOBALS, onGlobals);
  channel.on(GLOBALS_UPDATED, onGlobals);
});

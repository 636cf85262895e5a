// Light or dark, in a frame with a story or a page in it; and what is chosen in the toolbar, for the examples' frames on a page.
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

type Globals = Record<string, unknown>;

/**
 * A page of the docs writes the toolbar's choices here, and the frames on it read them when they load. After each change, Storybook
 * mounts the page again, and with it the frames. A frame must not announce globals itself: the page would mount again, without end.
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

/** The theme that is seen now. */
export function shownTheme(): 'light' | 'dark' {
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return prefersDark.matches ? 'dark' : 'light';
}

/** Colours of the system, like Canvas, follow the scheme of the root. */
export function showTheme(theme: 'light' | 'dark' = shownTheme()): void {
  document.documentElement.style.colorScheme = theme;
}

/** What is chosen on the page of the docs around this frame, if it stands on one. */
export function globalsOfThePage(): Globals | undefined {
  const written = surroundingRoot()?.getAttribute(ATTRIBUTE);
  return written ? (JSON.parse(written) as Globals) : undefined;
}

function surroundingRoot(): Element | undefined {
  try {
    return window.parent === window ? undefined : window.parent.document.documentElement;
  } catch {
    // The frame stands on a page of another origin.
    return undefined;
  }
}

/**
 * Writes the attribute only for a change. A frame sends its own events to the page around it too, so that each write would come back as
 * another change, without an end.
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

// The four choices of the toolbar. They apply to examples. A proof ignores all but the theme. A story that is written for one choice
// declares it in its `globals`, and Storybook locks that item of the toolbar.
import type { StoryContext } from '@storybook/react-vite';

type Globals = StoryContext['globals'];

/** The items of one choice. The toolbar shows the title of the chosen item, so each says what it is a choice of: “User: Ada”. */
const items = (choice: string, titles: Record<string, string>) =>
  Object.entries(titles).map(([value, title]) => ({ value, title: `${choice}: ${title}` }));

export const globalTypes = {
  mechanism: {
    description: 'Mechanism: how credentials reach a request',
    toolbar: {
      title: 'Mechanism',
      icon: 'key' as const,
      dynamicTitle: true,
      items: items('Mechanism', { token: 'Token', cookie: 'Cookie', context: 'Context token' }),
    },
  },
  user: {
    description: 'User: who is signed in when the story starts',
    toolbar: {
      title: 'User',
      icon: 'user' as const,
      dynamicTitle: true,
      items: items('User', { story: 'Story’s own', ada: 'Ada', grace: 'Grace', none: 'Signed out' }),
    },
  },
  network: {
    description: 'Network: how the server answers',
    toolbar: {
      title: 'Network',
      icon: 'lightning' as const,
      dynamicTitle: true,
      items: items('Network', {
        fast: 'Fast',
        slow: 'Slow',
        offline: 'Offline',
        expired: 'Expired credentials',
      }),
    },
  },
  theme: {
    description: 'Theme: light or dark',
    toolbar: {
      title: 'Theme',
      icon: 'mirror' as const,
      dynamicTitle: true,
      items: items('Theme', { system: 'System', light: 'Light', dark: 'Dark' }),
    },
  },
};

export const initialGlobals = { mechanism: 'token', user: 'story', network: 'fast', theme: 'system' } as const;

/** A change of one of these starts an example again. A change of the theme does not. */
const CHOICES = ['mechanism', 'user', 'network'] as const;

/** The choices that this story starts with: the toolbar's for an example, its own for a proof. */
export function choicesOf({ tags, globals, storyGlobals }: StoryContext): Globals {
  return tags.includes('proof') ? { ...initialGlobals, ...storyGlobals } : globals;
}

/** Returns true if both have the same mechanism, user and network. */
export function isSameChoice(one: Globals, other: Globals): boolean {
  return CHOICES.every(name => one[name] === other[name]);
}

/** Returns true if the story starts with the choices that it is written for. With others, the guards after a story would fail it. */
export function isAsWritten(context: StoryContext): boolean {
  return isSameChoice(choicesOf(context), { ...initialGlobals, ...context.storyGlobals });
}

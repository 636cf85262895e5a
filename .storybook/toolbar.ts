// The four choices of the toolbar, under which any story can be seen. A story that is written for one of them declares it in
// its `globals`; Storybook then locks that item of the toolbar.
import type { StoryContext } from '@storybook/react-vite';

const item = (value: string, title: string) => ({ value, title });

export const globalTypes = {
  mechanism: {
    description: 'Mechanism: how credentials reach a request',
    toolbar: {
      title: 'Mechanism',
      icon: 'key' as const,
      dynamicTitle: true,
      items: [item('token', 'Token'), item('cookie', 'Cookie'), item('context', 'Context token')],
    },
  },
  person: {
    description: 'Person: who is signed in when the story starts',
    toolbar: {
      title: 'Person',
      icon: 'user' as const,
      dynamicTitle: true,
      items: [item('story', 'Story’s person'), item('ada', 'Ada'), item('grace', 'Grace'), item('nobody', 'Nobody')],
    },
  },
  network: {
    description: 'Network: how the server answers',
    toolbar: {
      title: 'Network',
      icon: 'lightning' as const,
      dynamicTitle: true,
      items: [
        item('fast', 'Fast'),
        item('slow', 'Slow'),
        item('offline', 'Offline'),
        item('expired', 'Expired credentials'),
      ],
    },
  },
  theme: {
    description: 'Theme: light or dark',
    toolbar: {
      title: 'Theme',
      icon: 'mirror' as const,
      dynamicTitle: true,
      items: [item('system', 'System'), item('light', 'Light'), item('dark', 'Dark')],
    },
  },
};

export const initialGlobals = { mechanism: 'token', person: 'story', network: 'fast', theme: 'system' } as const;

/** What a story is started with; a change of theme starts nothing. */
const STARTS_WITH = ['mechanism', 'person', 'network'] as const;

type Chosen = Pick<StoryContext, 'globals' | 'storyGlobals'>;

/** What a story is started with, in one word. */
export function choiceOf({ globals }: Pick<Chosen, 'globals'>): string {
  return STARTS_WITH.map(name => globals[name]).join(' ');
}

/** Returns true for the settings that the story was written for. With other settings its play would fail. */
export function isAsWritten({ globals, storyGlobals }: Chosen): boolean {
  return STARTS_WITH.every(name => name in storyGlobals || globals[name] === initialGlobals[name]);
}

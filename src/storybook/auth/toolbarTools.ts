import type { AuthMechanism, AuthParameters, StoryServer } from './AuthParameters.js';
import { followsToolbar, mechanismOf, type AuthChoices, type ChoosingContext } from './choices.js';

/** One choice of the toolbar, as the story's frame describes it to Storybook's own frame. */
export interface ToolbarTool {
  /** The global that it sets. */
  readonly name: 'user' | 'mechanism' | 'network';
  /** The button shows it before the title of the chosen item: `User: Ada`. */
  readonly title: string;
  readonly description: string;
  readonly items: readonly { readonly value: string; readonly title: string }[];
}

/** The message that describes the tools of a story. Parameters would reach Storybook's frame without their functions. */
export interface ToolbarNews {
  readonly tools: readonly ToolbarTool[];
}

/** Returns the tools of a story. A tool with a single item is left out. */
export function toolbarTools(
  given: AuthParameters,
  context: Pick<ChoosingContext, 'playFunction'>,
  { mechanism }: Pick<AuthChoices, 'mechanism'>,
): ToolbarTool[] {
  if (!followsToolbar(given, context)) return [];
  const mechanisms = Object.entries(given.mechanisms ?? {}).map(([value, { title = value }]): [string, string] => [
    value,
    title,
  ]);
  const tools = [
    tool('mechanism', 'Mechanism', 'how credentials reach a request', Object.fromEntries(mechanisms)),
    tool('user', 'User', 'who is signed in when the story starts', {
      story: 'Story’s own',
      ...given.people,
      none: 'Signed out',
    }),
    tool('network', 'Network', 'how the server answers', networks(mechanismOf(given, mechanism))),
  ];
  return tools.filter(({ items }) => items.length > 1);
}

const tool = (
  name: ToolbarTool['name'],
  title: string,
  meaning: string,
  titles: Readonly<Record<string, string>>,
): ToolbarTool => ({
  name,
  title,
  description: `${title}: ${meaning}`,
  items: Object.entries(titles).map(([value, choice]) => ({ value, title: choice })),
});

/** What the server can do. A story with its own session brings its own server, which can do everything. */
function networks({ session, server }: AuthMechanism): Record<string, string> {
  const can = (member: keyof StoryServer) => !session || server?.[member] !== undefined;
  return {
    fast: 'Fast',
    ...(can('networkHandler') && { slow: 'Slow', offline: 'Offline' }),
    ...(can('expire') && { expired: 'Expired credentials' }),
  };
}

/** The tools of the current story or docs page, outside React: the toolbar mounts its tools again for each of them. */
export function createToolbarStore() {
  let tools: readonly ToolbarTool[] = [];
  const listeners = new Set<() => void>();
  return {
    getTools: () => tools,
    setTools(next: readonly ToolbarTool[]) {
      tools = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type ToolbarStore = ReturnType<typeof createToolbarStore>;

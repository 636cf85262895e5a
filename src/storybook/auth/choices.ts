import type { AuthMechanism, AuthParameters, StoryNetwork } from './AuthParameters.js';

/** The globals that the toolbar sets. A story may declare them in its `globals`; Storybook then locks that choice. */
export const initialGlobals = { user: 'story', network: 'fast' } as const;

/** What a story starts with. */
export interface AuthChoices {
  /** `story`: the story's own user; `none`: signed out; else the id of a user. */
  readonly user: string;
  readonly mechanism: string | undefined;
  readonly network: 'fast' | StoryNetwork;
}

type Globals = Readonly<Record<string, unknown>>;

/** The part of a story's context that decides about its choices. */
export interface ChoosingContext {
  readonly globals: Globals;
  /** The globals that the story declares. */
  readonly storyGlobals: Globals;
  readonly playFunction?: unknown;
}

/** Returns true if the toolbar applies to the story. */
export function followsToolbar({ toolbar }: AuthParameters, { playFunction }: Pick<ChoosingContext, 'playFunction'>) {
  return toolbar ?? playFunction === undefined;
}

/** The choices that the story starts with: the toolbar's, unless it ignores them. Unknown ones count as the default. */
export function choicesOf(given: AuthParameters, context: ChoosingContext): AuthChoices {
  return readChoices(given, followsToolbar(given, context) ? context.globals : writtenGlobals(context));
}

/** The choices that the story is written for. */
export function writtenChoices(given: AuthParameters, context: ChoosingContext): AuthChoices {
  return readChoices(given, writtenGlobals(context));
}

export function isSameChoice(one: AuthChoices, other: AuthChoices): boolean {
  return one.user === other.user && one.mechanism === other.mechanism && one.network === other.network;
}

/** The session and server of a mechanism. */
export function mechanismOf(given: AuthParameters, name: string | undefined): AuthMechanism {
  return (name !== undefined && given.mechanisms?.[name]) || given;
}

const writtenGlobals = ({ storyGlobals }: ChoosingContext): Globals => ({ ...initialGlobals, ...storyGlobals });

function readChoices({ people = {}, mechanisms = {} }: AuthParameters, globals: Globals): AuthChoices {
  const oneOf = <T extends string | undefined>(value: unknown, known: readonly string[], otherwise: T) =>
    known.includes(String(value)) ? String(value) : otherwise;
  const names = Object.keys(mechanisms);
  return {
    user: oneOf(globals.user, ['none', ...Object.keys(people)], 'story'),
    mechanism: oneOf(globals.mechanism, names, names[0]),
    network: oneOf(globals.network, ['slow', 'offline', 'expired'], 'fast') as AuthChoices['network'],
  };
}

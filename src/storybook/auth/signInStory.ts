import type { ContextTokenProviderProps, GetToken, Session } from 'data-client-auth';
import type { SessionCore } from '../../session/extension.js';
import type { AuthMechanism, AuthParameters, StoryServer, StorySession } from './AuthParameters.js';

/** The provider of a story, with its props. */
export type StoryProvider =
  | { readonly kind: 'token'; readonly session: Session<unknown, never, never, never> }
  | { readonly kind: 'cookie'; readonly session: Session<unknown, never, never, never>; readonly initial: unknown }
  | { readonly kind: 'context'; readonly props: Omit<ContextTokenProviderProps, 'children'> };

/** A story whose user is signed in already. */
export interface SignedInStory {
  readonly provider: StoryProvider;
  /** Signs out on this page and in its storage, without a request, and disposes of the session. */
  end(): void;
}

/** Creates the session of a story, and signs the user in without a request. Without a person, the session is signed out. */
export async function signInStory(
  { session, server }: { [Part in keyof AuthMechanism]-?: NonNullable<AuthMechanism[Part]> },
  person: string | undefined,
): Promise<SignedInStory> {
  server.reset?.();
  const answer = person === undefined ? undefined : server.signIn(person);
  const made = session({ person, getToken: sdkFor(server, person, answer) });
  if (!isSession(made)) return { provider: { kind: 'context', props: made }, end: () => server.reset?.() };
  const end = () => {
    // A session without a user may still have what a storage had before the story.
    asCore(made).endSession('signed-out');
    made.dispose();
    server.reset?.();
  };
  if (server.userOf) {
    const initial = person === undefined ? null : server.userOf(person);
    return { provider: { kind: 'cookie', session: made, initial }, end };
  }
  if (person === undefined) startSignedOut(made);
  // The session of an SDK knows its user already.
  else if (made.getSnapshot().status !== 'authenticated') await asCore(made).enter(answer);
  return { provider: { kind: 'token', session: made }, end };
}

/** A server for stories whose requests never leave the page, such as those of `MockResolver`. */
export function serverFor({ people = {} }: Pick<AuthParameters, 'people'>): StoryServer {
  return { signIn: id => ({ accessToken: id, user: { id, name: people[id] ?? id } }) };
}

/** Without a check for an existing session, which would be a request. */
function startSignedOut(session: Session<unknown, never, never, never>): void {
  asCore(session).start(null);
  if (session.getSnapshot().status === 'restoring') asCore(session).leave('signed-out');
}

/** An SDK whose cache has one token, until a fresh one is needed. */
function sdkFor(server: StoryServer, person: string | undefined, answer: unknown): GetToken {
  let cached = answer;
  return async ({ forceRefresh }) => {
    if (person === undefined) return null;
    if (forceRefresh) cached = server.signIn(person);
    if (typeof cached === 'string') return cached;
    const { accessToken, access_token } = cached as { accessToken?: string; access_token?: string };
    return accessToken ?? access_token ?? null;
  };
}

const isSession = (made: StorySession): made is Session<unknown, never, never, never> => 'getSnapshot' in made;

/** Every session of the kit has these members, for its providers. */
const asCore = (session: object) =>
  session as Pick<SessionCore, 'start' | 'leave' | 'endSession'> & { enter(answer: unknown): Promise<void> };

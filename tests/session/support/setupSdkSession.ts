// The properties send many thousands of requests, so this runs on `functionServer`.
import { authEndpoint, resource } from '../../../src/entries/core.js';
import { createContextSession } from '../../../src/mechanisms/context.js';
import { tokenAuthHandlers } from '../../../src/testing/index.js';
import { json } from './answers.js';
import { functionServer } from './functionServer.js';
import { manualClock, settle } from './manualClock.js';
import { API, Article, tokenOf } from './article.js';
import { toRequest } from './mockServer.js';
import { people } from './people.js';

export type Answer = 'token' | 'null' | 'offline';

interface SdkSessionSetup {
  /** The `sub` that the SDK's tokens give a user. */
  subOf: (user: string) => string;
  /** Whether the SDK gives the token of its cache even after another user has signed in. */
  keepsOldCache?: boolean;
}

/**
 * An SDK that answers when it is told to, and a component above the session whose `subject` changes at another moment than the
 * SDK's user. The SDK gets its tokens from the kit's token server, which accepts those that it issued since the last expiry. The setup
 * notes each request that carries the token of another user than the one who started it.
 */
export function setupSdkSession({ subOf, keepsOldCache = false }: SdkSessionSetup) {
  const clock = manualClock();
  const wrong: string[] = [];
  const auth = tokenAuthHandlers({
    url: API,
    people: people.map(person => ({ ...person, id: subOf(person.id) })),
    jwt: true,
  });
  const issued = new Map<string, string>();
  const asked: ((answer: Answer) => void)[] = [];
  const sdk = { user: null as string | null, cached: undefined as { token: string; user: string } | undefined };
  let sent = 0;
  let pending = 0;

  const issue = (user: string) => {
    const token = auth.signIn(subOf(user)).accessToken;
    issued.set(token, user);
    return { token, user };
  };
  const isValid = (token: string) =>
    auth.personOf(new Request(API, { headers: { 'Access-Token': token } })) !== undefined;
  const tokenFor = (user: string, forceRefresh: boolean) => {
    // A late answer is for the user who was there when the SDK was asked. An SDK that has issued a newer token gives no older one.
    if (user !== sdk.user && sdk.cached?.user === user) sdk.cached = undefined;
    if (user !== sdk.user) return issue(user).token;
    const isCached = sdk.cached && (sdk.cached.user === user || (keepsOldCache && isValid(sdk.cached.token)));
    if (forceRefresh || !isCached) sdk.cached = issue(user);
    return sdk.cached!.token;
  };
  const getToken = async ({ forceRefresh }: { forceRefresh: boolean }) => {
    const { user } = sdk;
    const answer = await new Promise<Answer>(resolve => asked.push(resolve));
    if (answer === 'offline') throw new TypeError('offline');
    return answer === 'null' || user === null ? null : tokenFor(user, forceRefresh);
  };

  const server = functionServer({
    '*': seen => {
      const starter = seen.path.split('/').at(-1)!.split('-')[0]!;
      const token = tokenOf(seen);
      const carrier = token === null ? 'nobody' : issued.get(token)!;
      if (carrier !== starter) wrong.push(`a request of ${starter} carried a token of ${carrier}`);
      return auth.authorize(toRequest(seen)) ?? json({ id: carrier });
    },
  });
  const { session, update } = createContextSession({ clock }, { subject: null, getToken });
  const { get } = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session as never),
  });
  let subject: string | null = null;

  const request = () => {
    pending++;
    return (get({ id: `${subject ?? 'nobody'}-${sent++}` }) as Promise<unknown>).finally(() => void pending--);
  };
  /** Answers all that the SDK was asked. */
  const drain = async () => {
    await settle();
    while (asked.length > 0) {
      asked.shift()!('token');
      await settle();
    }
  };
  return {
    clock,
    wrong,
    server,
    session,
    sdk,
    request,
    drain,
    answer: (which: number, answer: Answer) => asked.splice(which % Math.max(asked.length, 1), 1)[0]?.(answer),
    pending: () => pending,
    expireTokens: auth.expire,
    become(user: string | null) {
      subject = user;
      update({ subject, getToken });
    },
    /** SDK and component agree on the user; the outcome of a request of then. */
    async agree(user: string) {
      sdk.user = user;
      this.become(user);
      await drain();
      const outcome = request().then(
        () => 'answered',
        (error: Error) => `${error.name}: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      );
      await drain();
      return outcome;
    },
  };
}

import { DEFAULT_TIMEOUT_MS, systemClock, untilAborted, withTimeout, type Clock } from '../clock.js';
import { IdentityChangedError, InvalidCredentialError, SessionExpiredError, noLoginError } from '../errors.js';
import { assertFunctions } from './checkOptions.js';
import { TokenOwners } from './TokenOwners.js';
import type { GetToken, SdkSessionOptions } from './SdkSessionOptions.js';
import { DEFAULT_NAME } from './tabsOption.js';
import { jwtClaims } from './jwtClaims.js';
import { profileCall, type ProfileOption } from './profile.js';
import { rejectionAsExpired } from './refusals.js';
import { attachToken, type TokenHeaderOptions } from './tokenHeader.js';
import type { AuthChallenge } from '../session/mechanism.js';
import { sharedSignInError } from '../session/sharedOnServer.js';
import type { TokenSession } from '../session/session.js';
import type { UserOption } from '../session/userClass.js';
import { createSessionCore } from '../session/createSession.js';
import type { SessionCore } from '../session/extension.js';
import type { ExtensionsOption } from '../session/extension.js';
import type { AnyMechanism, SignedIn } from '../session/mechanism.js';

/** What a component above, or an SDK, says at one moment. */
export interface ContextCredential {
  /** The token. Null or undefined means that no user is signed in. */
  readonly token?: string | null | undefined;
  /** Returns the token; used instead of `token`. Called when a request is sent. */
  readonly getToken?: GetToken | undefined;
  /**
   * Who is signed in; null means no user. Required with `getToken`. Undefined: the `sub` of a token that is a JWT; without one, every new
   * `token` is another user.
   */
  readonly subject?: string | null | undefined;
}

interface ContextOptions extends TokenHeaderOptions, ProfileOption, UserOption<unknown>, ExtensionsOption {
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
  /** Resolves with the subject when an SDK knows it; null if no user is signed in. @default the props of each render say so */
  readonly findSubject?: ((signal?: AbortSignal) => Promise<string | null>) | undefined;
  /** The subject, if the SDK knows it now. */
  readonly readSubject?: (() => string | null | undefined) | undefined;
}

export type ContextToken = { readonly token: string | undefined };
type Found = SignedIn<ContextToken, unknown>;

/** One time of one subject: a token that was asked for in an earlier one is not used. */
interface Period {
  readonly given: ContextCredential;
  /** One call for the refresh and all requests whose token is in doubt. */
  readonly fresh: ReturnType<typeof createSharedCall<string>>;
}

const MISSING_SUBJECT =
  'getToken gave a token that does not name its user, so the session could not tell two users apart. Pass ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.';
const NO_TOKEN =
  'getToken gave no token while `subject` names a user, so the request was not sent. To sign the user out, pass `subject={null}`.';
const NO_ANSWER =
  'This session cannot answer a challenge: its provider has a `token` only. Give ContextTokenProvider `getToken`, which gets the challenge, or give stepUp() the option `answer`.';
const OTHER_USERS_TOKEN =
  'The SDK gave a token that belongs to another user than `subject` names, so the request was not sent. If this continues, pass the user id of the SDK as `subject` to ContextTokenProvider: one id for each user.';
const SLOW_SUBJECT = `The SDK has not said within ${DEFAULT_TIMEOUT_MS} ms who is signed in.`;

/**
 * A session whose credential comes from a component above, and whose sign-in happens elsewhere.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
 */
export function createContextSession(options: ContextOptions, first: ContextCredential) {
  const { clock = systemClock, findSubject, readSubject, profile, extensions } = options;
  const owners = new TokenOwners();
  let period = begin(first);
  /** The same object while the same user is signed in, so that a new token renders nothing. */
  let user: { readonly subject: string | undefined } | undefined;

  function begin(given: ContextCredential): Period {
    return { given, fresh: createSharedCall(clock) };
  }

  /** With another subject, a token that was asked for before is not used. */
  function take(given: ContextCredential): void {
    if (period.given.subject === given.subject) Object.assign(period, { given });
    else period = begin(given);
  }

  function signedInWith(token: string | undefined, { given }: Period = period): Found {
    const subject = given.subject ?? jwtClaims(token).sub;
    // Only `profile` describes a record.
    if (!user || user.subject !== subject) user = options.user ? undefined : { subject };
    return { credential: { token }, user, subject };
  }

  /** The sign-in that the component or the SDK has named. Undefined: no user is signed in, or it is not known. */
  function signedInNow(): Found | undefined {
    const { token, getToken, subject } = period.given;
    if (subject === null || (getToken && subject === undefined)) return undefined;
    if (subject !== undefined) owners.addUser(subject);
    if (getToken) return signedInWith(undefined);
    if (token === null || token === undefined || token === '') return undefined;
    return signedInWith(isOwn(token, subject) ? token : undefined);
  }

  /** True if the token may be sent for this subject. It belongs to that user from now on. */
  function isOwn(token: string, subject: string | null | undefined): boolean {
    if (typeof subject !== 'string') return true;
    if (owners.ownerOf(token, subject) === 'other') return false;
    owners.addToken(token, subject);
    return true;
  }

  /** @throws IdentityChangedError when another subject has come meanwhile; Error when there is no token for this one. */
  async function ask(of: Period, forceRefresh: boolean, challenge?: AuthChallenge): Promise<string> {
    const { getToken, subject } = of.given;
    if (!getToken) throw challenge ? new TypeError(NO_ANSWER) : new SessionExpiredError();
    // A user who does not answer a challenge stays signed in.
    const given = challenge
      ? getToken({ forceRefresh, challenge })
      : rejectionAsExpired(Promise.resolve(getToken({ forceRefresh })));
    const token = await given;
    if (isOver(of)) throw new IdentityChangedError();
    if (!token) throw new Error(NO_TOKEN);
    const owner = owners.ownerOf(token, subject!);
    if (!forceRefresh && jwtClaims(token).sub !== undefined && owner !== 'own') return askFresh(of);
    if (owner === 'unknown' && findSubject) assertNamed(of, await findSubject());
    if (!isOwn(token, subject)) throw new Error(OTHER_USERS_TOKEN);
    return token;
  }

  /** The SDK may have signed another user in, and not said so yet. @throws IdentityChangedError */
  function assertNamed(of: Period, subject: string | null): void {
    if (!isOver(of) && subject === of.given.subject) return;
    if (of === period) update({ ...of.given, subject });
    throw new IdentityChangedError();
  }

  const askFresh = (of: Period) => of.fresh.join(() => ask(of, true));

  /** A login asks for a user whom the session does not have yet. */
  const isOver = (of: Period) => of !== period && of !== entering;
  let entering: Period | undefined;

  async function findBySdk(signal?: AbortSignal): Promise<Found | undefined> {
    const search = new AbortController();
    const timeout = () => new DOMException(SLOW_SUBJECT, 'TimeoutError');
    const found = withTimeout(clock, DEFAULT_TIMEOUT_MS, findSubject!(search.signal), timeout);
    const subject = await (signal ? untilAborted(signal, found) : found).finally(() => search.abort());
    take({ ...period.given, subject });
    return signedInNow();
  }

  /** Takes over the user whom the SDK has signed in, with a fresh token. Until then, requests are those of the user before. */
  async function login(): Promise<Found> {
    const before = period;
    const { subject: known } = before.given;
    const subject = findSubject ? await findSubject() : known;
    if (subject === null || subject === undefined) throw new SessionExpiredError();
    const next = subject === known ? before : begin({ ...before.given, subject });
    owners.addUser(subject);
    entering = next;
    try {
      const token = await ask(next, true);
      if (period !== before) throw new IdentityChangedError();
      period = next;
      return signedInWith(token);
    } finally {
      if (entering === next) entering = undefined;
    }
  }

  const mechanism = {
    // The SDK signs in and out in all tabs.
    tabs: DEFAULT_NAME,
    trustedOrigins: options.trustedOrigins,
    /** Called after the SDK has signed the user in. */
    get login() {
      return period.given.getToken && login;
    },
    enter: () => Promise.reject(noLoginError()),
    ...(profile && {
      async profile(current: Found) {
        const { subject } = current;
        const answer = { ...(await profileCall(profile, () => session)(current)), subject };
        const same = JSON.stringify(answer) === JSON.stringify(current.user) ? (current.user as typeof answer) : answer;
        // The SDK may have signed another user in.
        if (session.getSubject() === subject) user = same;
        return same;
      },
    }),
    /** Absent where the props say it all. */
    get restore() {
      if (findSubject) return findBySdk;
      const { getToken, subject } = period.given;
      return getToken && subject === undefined
        ? () => Promise.reject(new InvalidCredentialError(MISSING_SUBJECT))
        : undefined;
    },
    get refresh() {
      return period.given.getToken && (async () => signedInWith(await askFresh(period)));
    },
    /** Not by a role of its own: the SDK may open a window. */
    answerChallenge: (challenge: AuthChallenge) => ask(period, true, challenge),
    readAnswer: (token: unknown, current: Found) => (typeof token === 'string' ? signedInWith(token) : current),
    readIdentity() {
      if (readSubject) take({ ...period.given, subject: readSubject() });
      return signedInNow();
    },
    async read(current: ContextToken) {
      if (!period.given.getToken) {
        if (current.token === undefined) throw new Error(OTHER_USERS_TOKEN);
        return current;
      }
      const of = period;
      const token = await ask(of, false);
      // The component is ahead of the session while a sign-in is about to be taken over.
      if (session.getSubject() !== of.given.subject) throw new Error(OTHER_USERS_TOKEN);
      return { token };
    },
    isSame: (a: ContextToken, b: ContextToken) => a.token === b.token,
    attach: ({ init }: { readonly init: RequestInit }, current: ContextToken | undefined) =>
      current ? attachToken(init, current.token, options) : init,
    // A getter cannot be absent; one that returns undefined counts as absent.
  } as AnyMechanism<ContextToken, unknown>;

  const session: SessionCore<ContextToken> = createSessionCore(mechanism, {
    clock,
    extensions,
    user: options.user,
    initial: signedInNow() ?? (first.subject === null ? null : undefined),
    // A component creates this session, so two visitors never share it.
    server: true,
  });

  /** Takes over what the component says now. No effect when it is equal. */
  function update(next: ContextCredential): void {
    const { given: before } = period;
    take(next);
    if (before.subject === next.subject && before.token === next.token && !before.getToken === !next.getToken) return;
    const signedIn = signedInNow();
    if (signedIn) session.adopt(signedIn);
    else if (next.getToken && next.subject === undefined) void session.refresh().catch(() => {});
    else session.leave('elsewhere');
  }

  return {
    session,
    update,
    /** Call when the component above is unmounted: signs out until the next `update`. */
    close(): void {
      period = begin({ subject: null });
      session.dispose();
    },
  };
}

/** A session whose user signs in with an SDK. Its `login()` takes over a user who has signed in again after an expiry. */
export type SdkSession<User = { readonly subject: string | undefined }> = TokenSession<User, [], [], never>;

type Subject = string | null | undefined;

/**
 * Creates a session whose token comes from an SDK (Auth0, Clerk, MSAL, an OpenID Connect client), as a plain object: route loaders,
 * `authEndpoint`, sockets (`session.getToken()`) and `<TokenAuthProvider session={session}>` use the same one.
 *
 * The SDK signs users in and out. The session takes over each change that `subscribe` reports: another subject is another identity, and a
 * new token of the same subject re-renders nothing.
 *
 * @throws TypeError when `getToken` or `subject` is missing, or an entry of `trustedOrigins` is no origin; Error when the SDK has a user on
 * a server, without `server: true`.
 * @example
 * export const session = createSdkSession({
 *   subject: () => (clerk.user === null ? null : clerk.user?.id),
 *   getToken: async ({ forceRefresh }) => clerk.session?.getToken({ skipCache: forceRefresh }),
 *   subscribe: listener => clerk.addListener(listener),
 *   header: 'Authorization',
 *   trustedOrigins: ['https://api.example.com'],
 * });
 */
export function createSdkSession<User = { readonly subject: string | undefined }>(
  options: SdkSessionOptions & UserOption<User>,
): SdkSession<User> {
  assertFunctions(options, {
    caller: 'createSdkSession',
    required: ['getToken', 'subject'],
    example: 'createSdkSession({ getToken: () => sdk.getToken(), subject: () => sdk.user?.id ?? null })',
  });
  const { clock = systemClock, server, subscribe } = options;
  /** Those who wait until the SDK may have changed its mind. */
  const waiting = new Set<() => void>();
  /** An answer that comes later, before a caller waits for it. */
  let unread: Promise<Subject> | undefined;
  let changes = 0;
  let unsubscribe: (() => void) | undefined;
  /** What the SDK has said last. */
  let reported: string | null = null;
  let isTakeOverPlanned = false;
  let wasAsked = false;

  function ask(): Subject | Promise<Subject> {
    const check = (subject: Subject) => {
      const error = typeof subject === 'string' ? sharedSignInError(server) : undefined;
      if (error) throw error;
      return subject;
    };
    const answer = options.subject!();
    return answer instanceof Promise ? answer.then(check) : check(answer);
  }

  function readSubject(): Subject {
    const answer = ask();
    if (!(answer instanceof Promise)) return answer;
    // `findSubject` has the failure.
    answer.catch(() => {});
    unread = answer;
    return undefined;
  }

  async function findSubject(signal = new AbortController().signal): Promise<string | null> {
    wasAsked = true;
    listen();
    for (;;) {
      // Before the question: the SDK may change its mind while it answers.
      let wake!: () => void;
      const changed = new Promise<undefined>(resolve => (wake = () => resolve(undefined)));
      waiting.add(wake);
      const answer = unread ?? ask();
      unread = undefined;
      try {
        const subject = await untilAborted(signal, Promise.race([answer, changed]));
        if (subject !== undefined) return subject;
        await untilAborted(signal, changed);
      } finally {
        waiting.delete(wake);
      }
    }
  }

  function listen(): void {
    if (!server) unsubscribe ??= subscribe?.(() => void onChange().catch(() => {}));
  }

  async function onChange(): Promise<void> {
    const change = ++changes;
    const answer = ask();
    // A search under way takes this answer: that to its own question may be older.
    unread = waiting.size > 0 && answer instanceof Promise ? answer : undefined;
    for (const wake of waiting) wake();
    // A known answer counts at once: a sign-out must not wait for a microtask.
    const subject = answer instanceof Promise ? await answer : answer;
    if (subject !== undefined && change === changes) onSubject(subject);
  }

  function onSubject(subject: string | null): void {
    reported = subject;
    const takeOver = () => context.update({ getToken, subject: reported });
    if (session.getSnapshot().status !== 'restoring') return takeOver();
    if (!wasAsked || isTakeOverPlanned) return;
    // The check finds the subject itself, and requests that wait for it keep their identity. But it may have its answer already.
    isTakeOverPlanned = true;
    void session.ready().then(() => {
      isTakeOverPlanned = false;
      takeOver();
    });
  }

  /** Requests of one subject at the same time share one call, so a loader and ten widgets ask the SDK once. */
  let cached = { subject: undefined as Subject, call: createSharedCall<Subject>(clock) };
  const getToken: GetToken = async call => {
    if (call.forceRefresh) return options.getToken(call);
    const subject = session.getSubject();
    if (cached.subject !== subject) cached = { subject, call: createSharedCall(clock) };
    return cached.call.join(async () => options.getToken(call));
  };
  const context = createContextSession({ ...options, findSubject, readSubject }, { getToken, subject: readSubject() });
  const { session } = context;
  listen();
  const { dispose } = session;
  return Object.assign(session, {
    getToken: async () => (await session.getUsableCredential()).token,
    dispose() {
      changes++;
      unsubscribe = void unsubscribe?.();
      dispose();
    },
  }) as SdkSession<User>;
}

/** One call for all that need its result at the same time. Later ones do not join a call that has timed out. */
function createSharedCall<T>(clock: Clock) {
  let latest: { readonly result: Promise<T>; readonly startedAt: number } | undefined;
  return {
    join(start: () => Promise<T>): Promise<T> {
      const elapsed = latest && clock.now() - latest.startedAt;
      if (latest && elapsed! >= 0 && elapsed! < DEFAULT_TIMEOUT_MS) return latest.result;
      const result = start().finally(() => {
        if (latest === started) latest = undefined;
      });
      const started = (latest = { result, startedAt: clock.now() });
      return result;
    },
  };
}

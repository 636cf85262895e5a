import { IdentityChangedError, InvalidCredentialError, SessionExpiredError } from '../errors.js';
import type { Clock } from '../clock.js';
import { jwtClaims } from './jwtClaims.js';
import { assertTrusted, parseOrigins } from './origins.js';
import { orExpired, orNobody } from './refusals.js';
import { SessionEngine } from '../session/SessionEngine.js';
import { tokenHeader, type TokenPlace } from './tokenHeader.js';
import type { Entry, Mechanism } from '../session/types.js';

/** How long an SDK may take to give a token, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Asks an SDK for the token; `fresh` asks it to go past its own cache. Null or undefined means that nobody is signed in. */
export type GetToken = (options: { fresh: boolean }) => Promise<string | null | undefined>;

/** The credential as a component above knows it, at one render. */
export interface ContextCredential {
  /** The token itself; null or undefined means that nobody is signed in. */
  readonly token?: string | null | undefined;
  /** Asks for the token at send time instead. */
  readonly getToken?: GetToken | undefined;
  /** Who is signed in; null means nobody. Undefined: the `sub` of a token that is a JWT; without one, every new `token` is somebody else, and `getToken` is refused. */
  readonly subject?: string | null | undefined;
}

export interface ContextSessionOptions extends TokenPlace {
  readonly origins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
}

type Held = { readonly token: string | undefined };
type Person = { readonly subject: string | undefined };
/** What the component above told last, the person it was about, and the `sub` of that person's first token. */
type Told = { now: ContextCredential; person: Person | undefined; sub: string | undefined };

/**
 * A session whose credential is handed to it by a component above, and whose sign-in happens elsewhere.
 *
 * @throws TypeError when an entry of `origins` is no origin.
 */
export function createContextSession(options: ContextSessionOptions, first: ContextCredential) {
  const told: Told = { now: first, person: undefined, sub: undefined };
  const engine: SessionEngine<Held, Person> = new SessionEngine<Held, Person>(
    contextMechanism(options, told, entry => engine.enter(entry)),
    options.clock,
    personTold(told),
  );
  return {
    engine,
    /** Takes over what the component above knows now; without effect when it knows nothing new. */
    update(next: ContextCredential): void {
      const before = told.now;
      told.now = next;
      if (before.subject === next.subject && before.token === next.token && !before.getToken === !next.getToken) return;
      if (before.subject !== next.subject) told.sub = undefined;
      const entry = personTold(told);
      if (entry) engine.enter(entry);
      else if (onlyTheSdkKnows(next)) void engine.refresh().catch(() => {});
      else engine.leave('elsewhere');
    },
    /** The component above is gone: nobody is signed in here, until the next `update`. */
    close(): void {
      Object.assign(told, { now: { subject: null }, person: undefined, sub: undefined });
      engine.dispose();
    },
  };
}

function subjectOf(token: string | undefined, told: Told): string | undefined {
  return told.now.subject ?? jwtClaims(token).sub;
}

const WHOSE_TOKEN =
  'getToken gave a token that does not tell whose it is, so two people could not be told apart. Give ContextTokenProvider the `subject`: the user id that the SDK knows, or null while nobody is signed in.';

/** Same person, same `user` object: a new token changes nothing that is shown. */
function entryFor(token: string | undefined, told: Told): Entry<Held, Person> {
  const subject = subjectOf(token, told);
  if (onlyTheSdkKnows(told.now) && subject === undefined) throw new InvalidCredentialError(WHOSE_TOKEN);
  if (!told.person || told.person.subject !== subject) told.person = { subject };
  return { credential: { token }, user: told.person, subject };
}

function onlyTheSdkKnows({ getToken, subject }: ContextCredential): boolean {
  return getToken !== undefined && subject === undefined;
}

/** Who is signed in as far as the props tell; undefined: nobody, or only the SDK knows. */
function personTold(told: Told): Entry<Held, Person> | undefined {
  const { token, getToken, subject } = told.now;
  if (subject === null || onlyTheSdkKnows(told.now)) return undefined;
  if (getToken) return entryFor(undefined, told);
  return token === null || token === undefined || token === '' ? undefined : entryFor(token, told);
}

/**
 * Whether the SDK has moved on to another person before the component above has: its token is another one's than those
 * before it, so it must not leave for the person that the component still speaks of.
 */
function isStranger(token: string, told: Told): boolean {
  const { sub } = jwtClaims(token);
  const isAnother = told.now.subject !== undefined && sub !== undefined && told.sub !== undefined && sub !== told.sub;
  if (!isAnother) told.sub = sub ?? told.sub;
  return isAnother;
}

/**
 * The SDK's answer, as far as it is about the person that the component above speaks of.
 *
 * @throws IdentityChangedError when that is another person by the time of the answer.
 */
async function askSdk(told: Told, fresh: boolean): Promise<string | undefined> {
  const { getToken, subject } = told.now;
  const token = (getToken && (await orExpired(getToken({ fresh })))) || undefined;
  if (told.now.subject !== subject) throw new IdentityChangedError();
  return token === undefined || isStranger(token, told) ? undefined : token;
}

function contextMechanism(options: ContextSessionOptions, told: Told, enter: (entry: Entry<Held, Person>) => void): Mechanism<Held, Person> {
  const origins = parseOrigins(options.origins);
  const renew = async () => {
    const token = await askSdk(told, true);
    if (token === undefined) throw new SessionExpiredError();
    return entryFor(token, told);
  };
  const restore = async () => {
    const token = await orNobody(askSdk(told, false));
    return token === undefined ? undefined : entryFor(token, told);
  };
  return {
    timeoutMs: TIMEOUT_MS,
    renews: 'expired',
    /** The SDK has signed the person in (again). */
    get login() {
      return told.now.getToken && renew;
    },
    get restore() {
      return onlyTheSdkKnows(told.now) ? restore : undefined;
    },
    get renew() {
      return told.now.getToken && renew;
    },
    read: async held => {
      if (!told.now.getToken) return held;
      const token = await askSdk(told, false);
      if (token === undefined) return undefined;
      const entry = entryFor(token, told);
      const somebodyElse = held.token !== undefined && entry.subject !== undefined && entry.subject !== subjectOf(held.token, told);
      if (somebodyElse) enter(entry);
      return entry.credential;
    },
    same: (a, b) => a.token === b.token,
    carry: (request, held) => {
      assertTrusted(request, origins);
      return held ? tokenHeader(request.init, held.token, options) : request.init;
    },
    judge: response => (response.status === 401 ? 'expired' : 'accepted'),
  };
}

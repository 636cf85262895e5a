import { SessionExpiredError } from '../errors.js';
import type { Clock } from './clock.js';
import { jwtClaims } from './jwtClaims.js';
import { parseOrigins } from './origins.js';
import { SessionEngine } from './SessionEngine.js';
import { tokenHeader, type TokenPlace } from './tokenHeader.js';
import type { Entry } from './types.js';

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
  /** Who is signed in; null means nobody. Undefined: the `sub` of a token that is a JWT, else every new token is somebody else. */
  readonly subject?: string | null | undefined;
}

export interface ContextSessionOptions extends TokenPlace {
  readonly origins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
}

type Held = { readonly token: string | undefined };
type Person = { readonly subject: string | undefined };

/** A session whose credential is handed to it by a component above, and whose sign-in happens elsewhere. */
export function createContextSession(options: ContextSessionOptions, first: ContextCredential) {
  let given = first;

  const entryFor = (token: string | undefined): Entry<Held, Person> => {
    const subject = given.subject ?? (token === undefined ? undefined : jwtClaims(String(token)).sub);
    return { credential: { token }, user: { subject }, subject };
  };
  /** Who is signed in as far as the props tell; undefined: nobody, or only the SDK knows. */
  const told = (): Entry<Held, Person> | undefined => {
    if (given.subject === null) return undefined;
    if (given.getToken) return given.subject === undefined ? undefined : entryFor(undefined);
    return given.token === null || given.token === undefined || given.token === '' ? undefined : entryFor(given.token);
  };
  const ask = async (fresh: boolean): Promise<string | undefined> => (await given.getToken?.({ fresh })) || undefined;
  const onlyTheSdkKnows = () => given.getToken !== undefined && given.subject === undefined;

  const engine = new SessionEngine<Held, Person>(
    {
      origins: parseOrigins(options.origins),
      timeoutMs: TIMEOUT_MS,
      renews: 'expired',
      ...(onlyTheSdkKnows() && {
        restore: async () => {
          const token = await ask(false);
          return token === undefined ? undefined : entryFor(token);
        },
      }),
      get renew() {
        if (!given.getToken) return undefined;
        return async () => {
          const token = await ask(true);
          if (token === undefined) throw new SessionExpiredError();
          return entryFor(token);
        };
      },
      read: async held => {
        if (!given.getToken) return held;
        const token = await ask(false);
        if (token === undefined) return undefined;
        const entry = entryFor(token);
        const somebodyElse = entry.subject !== undefined && held.token !== undefined && entry.subject !== entryFor(held.token).subject;
        if (somebodyElse) engine.enter(entry);
        return entry.credential;
      },
      same: (a, b) => a.token === b.token,
      carry: (init, held) => (held ? tokenHeader(init, held.token, options) : init),
      judge: response => (response.status === 401 ? 'expired' : 'accepted'),
    },
    options.clock,
    told(),
  );

  return {
    engine,
    /** Takes over what the component above knows now; without effect when it knows nothing new. */
    update(next: ContextCredential): void {
      const before = given;
      given = next;
      const news = before.subject !== next.subject || before.token !== next.token || !before.getToken !== !next.getToken;
      if (!news) return;
      const entry = told();
      if (entry) engine.enter(entry);
      else if (onlyTheSdkKnows()) void engine.refresh().catch(() => {});
      else engine.leave('elsewhere');
    },
  };
}

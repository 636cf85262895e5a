import { timeoutError, untilAborted, withTimeout, type Clock } from '../clock.js';
import {
  OtherUserResponseError,
  RedirectRefusedError,
  RefreshUnavailableError,
  UnreplayableBodyError,
} from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import { notifyObservers, type ObservableSession, type RequestCause } from './observeRequests.js';
import { isSafeMethod } from './isSafeMethod.js';
import { readCall } from './readCall.js';
import type { SessionFetch } from './session.js';
import { assertTrusted } from './trustedOrigins.js';
import { warnOfCors } from './warnOfCors.js';
import { withoutRedirect } from './withoutRedirect.js';
import type { Parts } from './parts.js';
import type { Scope, OutgoingRequest, Transport, RunAs, Writer } from './extension.js';
import type { Gate, Pass } from './gate.js';
import { linkSignals } from './linkSignals.js';
import type { Refusal, RequestToAttach } from './mechanism.js';
import type { Role } from './queue.js';
import type { Refresh } from './refresh.js';

/** Another machine of the server may not know a credential that is younger than this, in milliseconds. */
const YOUNG_MS = 5_000;
const LATE_TRY_MS = 1_000;
const MAX_REPLAYS = 3;
/** How many timeouts a request of a writer may take. */
const WRITER_TIMEOUTS = 3;
/** Statuses that may refuse the credential, also one that another page has replaced. */
const MAYBE_REFUSED = new Set([401, 403, 419]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface Outcome {
  readonly response: Response;
  readonly error?: unknown;
}

/** What one call has tried so far. */
interface Tried {
  attempts: number;
  refresh?: boolean;
  late?: boolean;
  /** Tells those who wait whether the late try was accepted. */
  onLateAnswer?: (isAccepted: boolean) => void;
  aborted?: boolean;
}

let atWork: ObservableSession | undefined;

/** The session whose function runs right now, up to its first `await`: what an endpoint without a session sends then is that writer's. */
export const sessionAtWork = (): ObservableSession | undefined => atWork;

/** The last functions that run as a writer, and the one that runs right now. */
export function createWriters(clock: Clock, timeoutMs: number, session: () => ObservableSession) {
  const writers = new Map<Role, Writer>();
  /** Set while a function of the mechanism runs, up to its first `await`. */
  let running: Role | undefined;

  /** What the function sends before its first `await` belongs to this writer. */
  function callAs<T>(role: Role, call: () => T): T {
    const outer = [running, atWork] as const;
    [running, atWork] = [role, session()];
    try {
      return call();
    } finally {
      [running, atWork] = outer;
    }
  }

  const runAs: RunAs = async (role, given, act) => {
    const limit = new AbortController();
    const { signal, unlink } = linkSignals([given.signal, limit.signal]);
    const writer = { ...given, signal };
    const outer = writers.get(role);
    writers.set(role, writer);
    try {
      const result = untilAborted(
        signal,
        callAs(role, () => act(signal)),
      );
      // A user may take minutes to sign in; each request of a login has a limit of its own.
      if (role === 'login') return await result;
      return await withTimeout(clock, WRITER_TIMEOUTS * timeoutMs, result, () => {
        const error = timeoutError(WRITER_TIMEOUTS * timeoutMs);
        limit.abort(error);
        return error;
      });
    } finally {
      unlink();
      if (writers.get(role) === writer) {
        if (outer) writers.set(role, outer);
        else writers.delete(role);
      }
    }
  };

  return {
    runAs,
    callAs,
    get running(): Role | undefined {
      return running;
    },
    of: (role: Role): Writer => writers.get(role) ?? {},
  };
}

interface RequestParts<C, U> extends Parts<C, U> {
  readonly gate: Gate<C, U>;
  readonly refresh: Refresh<C, U>;
  readonly writers: ReturnType<typeof createWriters>;
  readonly trustedOrigins: readonly string[] | undefined;
  readonly session: () => ObservableSession;
  /** Takes over another credential of the same user, while no tab refreshes. */
  readonly renew: (read: () => C | undefined, signal: AbortSignal) => Promise<void>;
}

/** Sends the requests of a session: from the call to the answer, in the order in which it happens. */
export function createRequests<C, U>(parts: RequestParts<C, U>) {
  const { store, mechanism, gate, outside, tabGate, refresh, record, writers, clock, timeoutMs, hooks } = parts;
  /** When the page got the current credential. */
  let issuedAt = -Infinity;
  store.subscribeToCredential(() => void (issuedAt = clock.now()));
  /** The one late try of the current credential, which other refused requests wait for. */
  let lateTry: { readonly version: number; readonly isAccepted: Promise<boolean> } | undefined;
  /** The credential whose refresh an opaque failure has started. */
  let opaqueVersion = -1;
  /** The credential in whose place the one of an answer is about to be taken over. */
  let renewing = -1;

  /** Call it before anything is awaited: the request belongs to the identity and the writer of this moment. */
  function open(callerSignal?: AbortSignal, role = writers.running): Scope {
    const { epochSignal } = store;
    const ends = [role ? undefined : epochSignal, callerSignal].filter(signal => signal !== undefined);
    if (ends.length === 1) return { callerSignal, role, ends, signal: ends[0]!, release: () => {} };
    const { signal, unlink } = linkSignals(ends);
    return { callerSignal, role, ends, signal, release: () => unlink() };
  }

  /** @throws the reason of the scope's end as soon as it ends, whatever the transport does */
  async function send(scope: Scope, request: Promise<OutgoingRequest>, transport: Transport): Promise<Response> {
    const close = tabGate?.open();
    try {
      const sending = scope.role
        ? sendForWriter(scope, scope.role, request, transport)
        : sendForUser(scope, request, transport);
      return await untilAborted(scope.signal, sending);
    } finally {
      close?.();
      scope.release();
    }
  }

  async function sendForUser(scope: Scope, built: Promise<OutgoingRequest>, transport: Transport): Promise<Response> {
    const request = await built;
    assertTrusted(request, parts.trustedOrigins);
    const tried: Tried = { attempts: 0 };
    return sendAttempts(scope, request, transport, tried).finally(() => tried.onLateAnswer?.(false));
  }

  async function sendAttempts(
    scope: Scope,
    request: OutgoingRequest,
    transport: Transport,
    tried: Tried,
  ): Promise<Response> {
    for (;;) {
      const pass = await gate.enter(scope, request.method);
      const { failures } = refresh;
      let outcome: Outcome;
      try {
        outcome = await attempt(scope, request, pass, tried, transport);
        await outside.read(MAYBE_REFUSED.has(outcome.response.status) ? 'refused' : 'own');
      } catch (error) {
        if (await isRepeated(scope, request, pass, tried, error)) continue;
        throw error;
      } finally {
        pass.leave();
      }
      await assertOwn(scope, outcome.response);
      const refusal = await classify(request, outcome.response, pass.credential);
      tried.onLateAnswer?.(refusal !== 'unauthorized');
      if (!refusal) {
        takeRenewed(scope, pass, outcome.response);
        return answerOf(outcome);
      }
      const { response } = outcome;
      try {
        const asked = await askExtensions(scope, response);
        // The user may have taken so long that the credential has expired.
        if (asked) tried.refresh = false;
        const again = asked ?? (await renew(scope, pass, refusal, response, tried, failures));
        if (!again || tried.attempts > MAX_REPLAYS) return answerOf(outcome);
        scope.signal.throwIfAborted();
      } catch (error) {
        // The error of an end has the response, for its caller to read.
        if ((error as { response?: Response }).response !== response) giveUp(response);
        throw error;
      }
      giveUp(response);
    }
  }

  async function attach(request: RequestToAttach, credential: C | undefined, role?: Role): Promise<RequestInit> {
    let init = await mechanism.attach(request, credential, role);
    for (const hook of hooks) init = hook.attach?.({ ...request, init }, credential, role) ?? init;
    return init;
  }

  async function attempt(
    scope: Scope,
    request: OutgoingRequest,
    { credential, signal }: Pass<C>,
    tried: Tried,
    transport: Transport,
  ): Promise<Outcome> {
    const { init } = request;
    if (tried.attempts > 0 && isStream(init.body)) throw new UnreplayableBodyError();
    const uncached = { ...init, cache: init.cache ?? 'no-store' };
    const attached = await attach({ ...request, init: uncached }, credential);
    signal?.throwIfAborted();
    scope.signal.throwIfAborted();
    const cause = tried.attempts === 0 ? 'first send' : 'replay';
    tried.attempts++;
    return transmit(scope, request, attached, { cause, attempt: tried.attempts }, [signal], transport);
  }

  /** A request that got no answer: true if it is sent again. */
  async function isRepeated(
    scope: Scope,
    request: OutgoingRequest,
    pass: Pass<C>,
    tried: Tried,
    error: unknown,
  ): Promise<boolean> {
    if (scope.signal.aborted) return false;
    if (pass.signal?.aborted) {
      if (tried.attempts === 0) return true;
      const isFirst = !tried.aborted;
      tried.aborted = true;
      if (isFirst && isSafeMethod(request.method)) return true;
      pass.leave();
      // The check ends the scope, unless it finds the same user.
      (await gate.enter(scope)).leave();
      throw new RefreshUnavailableError(error);
    }
    if (tried.refresh || !isOpaqueRefusal(request, error)) return false;
    tried.refresh = true;
    const isNewer = store.state.version !== pass.version;
    if (!isNewer && opaqueVersion === pass.version && !refresh.isUnderWay) return false;
    opaqueVersion = pass.version;
    if (!isNewer) await refresh.run();
    return isSafeMethod(request.method);
  }

  /** A gateway's 401 without CORS headers looks like a lost connection. */
  function isOpaqueRefusal({ url }: OutgoingRequest, error: unknown): boolean {
    if (!(error instanceof TypeError) || !mechanism.refresh || tabGate || refresh.isUnexpired()) return false;
    if (store.state.status !== 'authenticated' || globalThis.navigator?.onLine === false) return false;
    return typeof location !== 'undefined' && new URL(url, location.href).origin !== location.origin;
  }

  /** @throws OtherUserResponseError for an answer to another user, unless a check then ends the scope */
  async function assertOwn(scope: Scope, response: Response): Promise<void> {
    const named = mechanism.subjectOf?.(response);
    const { signIn } = store.state;
    if (named === undefined || signIn?.subject === undefined || named === signIn.subject) return;
    store.dispatch({ type: 'stale' });
    const error = new OtherUserResponseError();
    (await gate.enter(scope, 'GET', error)).leave();
    throw error;
  }

  async function classify(
    { isRefused }: OutgoingRequest,
    response: Response,
    sent: C | undefined,
  ): Promise<Refusal | undefined> {
    if (!store.state.signIn) return undefined;
    if (isRefused && (await askAboutCopy(response, isRefused))) return 'unauthorized';
    if (response.ok) return undefined;
    const refusal = mechanism.classify ? await mechanism.classify(response, sent) : undefined;
    if (refusal || mechanism.classify) return refusal ?? 'forbidden';
    return response.status === 401 ? 'unauthorized' : 'forbidden';
  }

  /** The caller does not wait until the other tabs let this one write. */
  function takeRenewed(scope: Scope, { version }: Pass<C>, response: Response): void {
    const { state } = store;
    if (!mechanism.readRenewed || scope.signal.aborted || state.version !== version || renewing === version) return;
    if (state.status !== 'authenticated') return;
    const renewed = mechanism.readRenewed(response, { ...state.signIn, credential: state.credential! });
    if (renewed === undefined) return;
    renewing = version;
    const read = () => (store.state.version === version ? renewed : undefined);
    const forget = () => (renewing = -1);
    parts.renew(read, store.epochSignal).then(forget, forget);
  }

  async function askExtensions(scope: Scope, response: Response): Promise<boolean | undefined> {
    for (const { onRefusal } of hooks) {
      const answer = await onRefusal?.(response, scope);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** Gets another credential than the refused one, or ends the session. Returns true if the request is sent again. */
  async function renew(
    scope: Scope,
    { version, signIn }: Pass<C>,
    refusal: Refusal,
    response: Response,
    tried: Tried,
    failures: number,
  ): Promise<boolean> {
    if (refusal === 'forbidden') return false;
    await record.sync();
    scope.signal.throwIfAborted();
    // The cookie may be another user's by now, unless a check has found the same user since.
    const isUnchecked = tabGate && store.state.signIn === signIn;
    if (isUnchecked && (!tried.refresh || refusal === 'csrf-rejected')) store.dispatch({ type: 'stale' });
    if (store.state.status === 'locked') return true;
    if (store.state.version !== version) {
      // What another tab has brought may be as old as the refused one.
      tried.refresh ||= !tabGate && store.state.version === refresh.renewedVersion;
      return true;
    }
    const isMendedByRefresh = mechanism.refresh && refusal === (mechanism.refreshOn ?? 'unauthorized');
    if (!tried.refresh && (isMendedByRefresh || tabGate)) {
      tried.refresh = true;
      if (isMendedByRefresh) await refresh.run(failures, response);
      return true;
    }
    if (refusal !== 'unauthorized') return false;
    if (!tried.late && (await isTriedLate(version, tried))) return true;
    if (store.state.version === version) void parts.end('expired', response);
    scope.signal.throwIfAborted();
    return true;
  }

  /** Another machine of the server may not know a young credential yet: one request tries again, and the others wait for it. */
  async function isTriedLate(version: number, tried: Tried): Promise<boolean> {
    if (lateTry?.version === version) return lateTry.isAccepted;
    const age = clock.now() - issuedAt;
    if (age < 0 || age >= YOUNG_MS) return false;
    tried.late = true;
    lateTry = { version, isAccepted: new Promise(resolve => (tried.onLateAnswer = resolve)) };
    await new Promise<void>(resolve => void clock.setTimeout(resolve, LATE_TRY_MS));
    return true;
  }

  /** A request of one of the session's own writers. It waits for nothing, is sent once, and its 401 ends no session. */
  async function sendForWriter(
    scope: Scope,
    role: Role,
    built: Promise<OutgoingRequest>,
    transport: Transport,
  ): Promise<Response> {
    const { signal, credential } = writers.of(role);
    const request = await built;
    assertTrusted(request, parts.trustedOrigins);
    const uncached = { ...request, init: { ...request.init, cache: request.init.cache ?? ('no-store' as const) } };
    const init = withoutRedirect(await attach(uncached, credential as C | undefined, role));
    const limit = new AbortController();
    const onTimeout = () => {
      const error = timeoutError(WRITER_TIMEOUTS * timeoutMs);
      limit.abort(error);
      return error;
    };
    const meta = { cause: role === 'check' ? ('restore' as const) : role, attempt: 1 };
    const sent = transmit(scope, request, init, meta, [limit.signal, signal], transport);
    return answerOf(await withTimeout(clock, WRITER_TIMEOUTS * timeoutMs, sent, onTimeout));
  }

  async function transmit(
    { ends, callerSignal }: Scope,
    { url, method, init: given }: OutgoingRequest,
    init: RequestInit,
    meta: { readonly cause: RequestCause; readonly attempt: number },
    more: readonly (AbortSignal | undefined)[],
    transport: Transport,
  ): Promise<Outcome> {
    const own = given.signal === callerSignal ? undefined : given.signal;
    const { signal, unlink } = linkSignals([...ends, ...more, own ?? undefined]);
    const sent: RequestInit = { ...init, signal };
    if (isStream(sent.body)) Object.assign(sent, { duplex: 'half' });
    notifyObservers(sent.method ?? method, url, signal, { ...meta, session: parts.session() });
    const outcome = await untilAborted(signal, transport(url, sent)).then(
      (response): Outcome => ({ response }),
      (error: { response?: Response }): Outcome => {
        if (error?.response) return { response: error.response, error };
        if (isDevelopment) warnOfCors(url, sent, error);
        unlink();
        throw error;
      },
    );
    unlink(outcome.response.body);
    const { type, status } = outcome.response;
    const isOurs = sent.redirect === 'manual' && given.redirect !== 'manual';
    if (isOurs && (type === 'opaqueredirect' || REDIRECTS.has(status))) throw new RedirectRefusedError(url);
    return outcome;
  }

  /** The platform's `fetch`, as the current user; for a function of the mechanism that runs right now, as that writer. */
  const sessionFetch: SessionFetch = async (input, given = {}) => {
    const { init, ...call } = readCall(input, given);
    const scope = open(call.signal);
    const request = init.then(built => ({ ...call, urlPrefix: '', init: built, isRefused: given.isRefused }));
    request.catch(() => {});
    return send(scope, request, (url, sent) => fetch(url, sent));
  };

  return { open, send, fetch: sessionFetch };
}

/** Asks about a copy, which is closed then: two bodies share a connection until both are read. */
async function askAboutCopy(response: Response, ask: NonNullable<OutgoingRequest['isRefused']>): Promise<boolean> {
  const copy = response.clone();
  try {
    return await ask(copy);
  } finally {
    copy.body?.cancel().catch(() => {});
  }
}

/** Cancels a body that is not read: it would keep its connection. */
function giveUp({ body }: Response): void {
  body?.cancel().catch(() => {});
}

function answerOf({ response, error }: Outcome): Response {
  if (error) throw error as Error;
  return response;
}

function isStream(body: unknown): boolean {
  return body instanceof ReadableStream || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body);
}

import type { Controller, EndpointInterface, Middleware } from '@data-client/react';
import { DEFAULT_TIMEOUT_MS, elapsedSince, withTimeout } from '../clock.js';
import type { StoreManager } from '../dataClient/connectManagers.js';
import { sessionCore } from '../endpoints/sessionCore.js';
import { isDevelopment } from '../isDevelopment.js';
import { callUserCallback } from '../notifyListeners.js';
import type { SessionCore } from '../session/extension.js';
import type { Session } from '../session/session.js';
import { warnOnce } from '../warnOnce.js';
import { Connection, type LiveClose, type LiveSource } from './LiveSource.js';
import { notifyLive, type ObservedLive } from './observeLive.js';

/** What `open` gets: the token of a session that has one. Undefined with a cookie, which the browser sends. */
export type LiveToken<S> = S extends { getToken(): Promise<infer Token> } ? Token : string | undefined;

export interface LiveOptions<Token, Source extends LiveSource> {
  /**
   * Connects. Called at each connect, with the token of this moment: send it as a subprotocol or in the first message, or fetch a one-time
   * ticket here; an address is in logs. A source that arrives after the identity has ended is closed at once.
   */
  open(token: Token): Source | Promise<Source>;
  /**
   * Writes a frame into the store: `controller.setResponse(CommentResource.get, { id }, comment)`. Never called for another identity than
   * that of `open`, and not before the reads after a gap have ended.
   */
  receive(event: Source extends WebSocket | EventSource ? MessageEvent : any, controller: Controller): void;
  /** True for the close by which the server refuses the token. @default code 4401 or 1008 */
  isRefused?: ((close: LiveClose) => boolean) | undefined;
  /** Tells the server a refreshed token while the source is open. @default nothing: the server closes it, or asks at the connect only */
  renew?: ((source: Source, token: Token) => void) | undefined;
}

// data-client's constants for these have other names in newer versions, and the same values.
const SUBSCRIBE = 'rdc/subscribe';
const UNSUBSCRIBE = 'rdc/unsubscribe';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A connection that lasted was no failed attempt. */
const STABLE_MS = 5_000;
/** The next page may subscribe a moment after the last one has unsubscribed. */
const LINGER_MS = 1_000;
const TICK_MS = 30_000;
/** Hidden pages have one timer a minute. */
const SLEPT_MS = 120_000;

/** The stores that a connection has filled. A user who unlocks has the same store, with other managers. */
const filledStores = new WeakSet<AbortSignal>();

interface Subscription {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  count: number;
}

/** The fields have these places in some version of data-client. */
interface Action {
  readonly type: string;
  readonly endpoint: EndpointInterface;
  readonly key?: string;
  readonly args?: readonly unknown[];
  readonly meta: { readonly key?: string; readonly args?: readonly unknown[] };
}

/**
 * A data-client manager for one identity's WebSocket or server-sent events: one connection, open while a user is signed in and a
 * component subscribes by data-client's `useLive` or `useSubscription` to an endpoint without `pollFrequency`.
 *
 * - Refused: the session's shared refresh, once. Every new connect waits longer, with jitter; `online` and the end of a sleep connect at once.
 * - After a gap: each subscribed endpoint is fetched once, and frames wait for it.
 * - When the identity ends: closed before the next one begins. Nothing that comes later is received.
 *
 * @throws TypeError when the object is not a session of this kit.
 * @example
 * <TokenAuthProvider session={session} managers={managers(() => [liveManager(session, { open, receive })])}>
 */
export function liveManager<S extends Session<any, never, never, never>, Source extends LiveSource>(
  session: S,
  options: LiveOptions<LiveToken<S>, Source>,
): StoreManager {
  return new LiveManager(sessionCore(session), options as never);
}

class LiveManager {
  readonly #session: SessionCore;
  readonly #options: LiveOptions<unknown, LiveSource>;
  readonly #subject: string | undefined;
  readonly #subscriptions = new Map<string, Subscription>();
  #controller!: Controller;
  #hasStarted = false;
  #attempts = 0;
  /** Aborted when no component subscribes any more, or the identity ends. Undefined while nothing should be connected. */
  #end: AbortController | undefined;
  #connection: Connection | undefined;
  /** Frames that wait for the reads after a gap. */
  #held: unknown[] | undefined;
  #cancelLinger = () => {};
  /** Ends the pause before the next connect. */
  #wake = () => {};

  constructor(session: SessionCore, options: LiveOptions<unknown, LiveSource>) {
    this.#session = session;
    this.#options = options;
    this.#subject = session.getSubject();
  }

  readonly middleware = ((controller: Controller) => {
    this.#controller = controller;
    return (next: (action: Action) => Promise<void>) => (action: Action) => {
      const isOwn = [SUBSCRIBE, UNSUBSCRIBE].includes(action.type) && action.endpoint.pollFrequency === undefined;
      if (!isOwn) return next(action);
      this.#count(action);
      return Promise.resolve();
    };
  }) as unknown as Middleware;

  init(): void {
    this.#hasStarted = true;
    this.#startOrStop();
  }

  cleanup(): void {
    this.#hasStarted = false;
    this.#subscriptions.clear();
    this.#stop();
  }

  #count({ type, endpoint, key, args, meta }: Action): void {
    const name = key ?? meta.key ?? '';
    const known = this.#subscriptions.get(name) ?? { endpoint, args: args ?? meta.args ?? [], count: 0 };
    known.count += type === SUBSCRIBE ? 1 : -1;
    if (known.count > 0) this.#subscriptions.set(name, known);
    else this.#subscriptions.delete(name);
    this.#startOrStop();
  }

  #startOrStop(): void {
    this.#cancelLinger();
    if (!this.#hasStarted || this.#session.getSnapshot().status !== 'authenticated') return;
    if (this.#subscriptions.size > 0) void this.#start();
    else this.#cancelLinger = this.#session.clock.setTimeout(() => this.#stop(), LINGER_MS, true);
  }

  #stop(): void {
    this.#cancelLinger();
    this.#end?.abort();
    this.#end = undefined;
    this.#connection?.close();
    this.#wake();
  }

  async #start(): Promise<void> {
    if (this.#end) return;
    const { signal } = (this.#end = new AbortController());
    let isHurried = false;
    let failures = 0;
    const restart = () => {
      isHurried = true;
      failures = 0;
      this.#connection?.close();
      this.#wake();
    };
    globalThis.addEventListener?.('online', restart, { signal });
    this.#watchSleep(restart, signal);
    const isRefused = this.#options.isRefused ?? (({ code }) => code === 4401 || code === 1008);
    let mayRefresh = true;
    while (!signal.aborted) {
      try {
        const token = await this.#getToken();
        if (signal.aborted) return;
        const connection = await this.#connect(token, signal);
        const openedAt = this.#session.clock.now();
        const close = await connection.closed;
        if (elapsedSince(openedAt, this.#session.clock) > STABLE_MS) {
          failures = 0;
          mayRefresh = true;
        }
        // A token that another request has refreshed already needs no second refresh.
        if (!signal.aborted && isRefused(close) && mayRefresh && (await this.#getToken()) === token) {
          mayRefresh = false;
          await this.#refresh();
        }
      } catch (error) {
        // There is no token now: the server cannot be reached, or the user has left.
        warnOfProtocol(error);
      }
      if (signal.aborted) return;
      if (!isHurried) await this.#pause(failures++);
      isHurried = false;
    }
  }

  #getToken(): Promise<unknown> {
    const { getToken } = this.#session as { getToken?: () => Promise<unknown> };
    return getToken ? getToken() : this.#session.getUsableCredential().then(() => undefined);
  }

  /** A cookie is not refreshed: the server says whether it is good. */
  #refresh(): Promise<void> {
    return 'getToken' in this.#session ? this.#session.refresh() : this.#session.recheck();
  }

  async #connect(token: unknown, signal: AbortSignal): Promise<Connection> {
    const connect = async () => {
      let sent = token;
      const store = this.#session.getStoreGenerationSignal();
      const isGap = this.#attempts++ > 0 || filledStores.has(store);
      const source = await this.#options.open(token);
      if (signal.aborted) source.close();
      signal.throwIfAborted();
      const notify = (event: ObservedLive['event']) => notifyLive(source.url, { subject: this.#subject, event });
      const renew = async () => {
        const fresh = await this.#getToken();
        if (this.#connection !== connection || fresh === sent) return;
        sent = fresh;
        notify('renew');
        this.#options.renew?.(source, fresh);
      };
      const stopRenewing =
        this.#options.renew && this.#session.subscribeToCredential(() => void renew().catch(() => {}));
      const connection: Connection = new Connection(source, {
        onOpen: () => {
          notify('open');
          filledStores.add(store);
          if (isGap) void this.#catchUp();
        },
        onFrame: frame => {
          notify('frame');
          if (this.#held) this.#held.push(frame);
          else this.#receive(frame);
        },
        onClose: close => {
          notify(close ? `close ${close.code}` : 'close');
          stopRenewing?.();
          this.#connection = this.#held = undefined;
        },
      });
      this.#connection = connection;
      await connection.settled;
      return connection;
    };
    // A browser sends the cookie of the moment: other tabs change it only after the handshake.
    return 'getToken' in this.#session ? connect() : this.#session.act('challenge', signal, connect);
  }

  async #catchUp(): Promise<void> {
    const held: unknown[] = (this.#held = []);
    const reads = [...this.#subscriptions.values()].map(async ({ endpoint, args }): Promise<unknown> =>
      this.#controller.fetch(endpoint, ...args),
    );
    const { clock } = this.#session;
    await withTimeout(clock, DEFAULT_TIMEOUT_MS, Promise.allSettled(reads), () => new Error()).catch(() => {});
    if (this.#held !== held) return;
    this.#held = undefined;
    for (const frame of held) this.#receive(frame);
  }

  #receive(frame: unknown): void {
    callUserCallback(() => this.#options.receive(frame, this.#controller));
  }

  #pause(failures: number): Promise<void> {
    const longest = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
    return new Promise(resolve => {
      // At least half of it: the next one is never shorter.
      const cancel = this.#session.clock.setTimeout(resolve, longest * (0.5 + Math.random() / 2), true);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** No event tells of a sleep, and a socket may not notice that it is dead. */
  #watchSleep(onWake: () => void, signal: AbortSignal): void {
    const { clock } = this.#session;
    const since = clock.now();
    const cancel = clock.setTimeout(
      () => {
        if (elapsedSince(since, clock) > SLEPT_MS) onWake();
        if (!signal.aborted) this.#watchSleep(onWake, signal);
      },
      TICK_MS,
      true,
    );
    signal.addEventListener('abort', cancel, { once: true });
  }
}

/** The message of the error has the token in it. */
function warnOfProtocol(error: unknown): void {
  if (isDevelopment && error instanceof DOMException && error.name === 'SyntaxError')
    warnOnce(
      '`open` of liveManager threw a SyntaxError. Check the address; and a subprotocol has no spaces, slashes or `=`: send such a token in the first message.',
    );
}

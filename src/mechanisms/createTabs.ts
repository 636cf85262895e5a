import type { Clock } from '../clock.js';
import { elapsedSince } from '../session/elapsedSince.js';
import type { TabReason, Tabs } from '../session/persistence.js';
import { isServer } from '../session/sharedOnServer.js';
import { parseSignInId } from '../session/tabs/signInId.js';
import { TabChannel } from './TabChannel.js';
import { PROPAGATION_MS, withLock } from './withLock.js';

/** The default name of a session. */
export const DEFAULT_NAME = 'data-client-auth';

/** The option for sessions that tabs share. */
export interface TabsOptions {
  /**
   * The name under which tabs of one origin share the sign-in: a sign-in or sign-out in one tab happens in all, and one tab
   * at a time refreshes. Two sessions of one page need two names, unless they use the same cookie. False: tabs share nothing.
   *
   * With `storage: 'session'`, only the frames of one tab share the sign-in, with or without a name. A name also makes them refresh one at a
   * time; then a sign-out ends an earlier sign-in of another tab too. False: the frames do not follow each other.
   *
   * @default for cookies, 'data-client-auth' with the `trustedOrigins`; for `storage: 'local'`, a store of your own or a
   * `RememberedStorage`, the `storageKey`; none for memory and session storage
   */
  readonly tabs?: string | false | undefined;
}

/** Who is signed in, and the sign-in that has ended, if one has. */
interface Message {
  readonly subject: string | null;
  readonly endedId?: string | undefined;
  readonly reason?: TabReason | undefined;
}

const REASONS: readonly TabReason[] = ['expired', 'idle', 'answered', 'unconfirmed'];

/** Returns the message of another tab; undefined for anything that `post` does not send. */
function parseMessage(message: unknown): Message | undefined {
  const { subject, endedId, reason } = (typeof message === 'object' && message !== null ? message : {}) as {
    subject?: unknown;
    endedId?: unknown;
    reason?: unknown;
  };
  if (subject !== null && typeof subject !== 'string') return undefined;
  return {
    subject,
    endedId: parseSignInId(endedId),
    reason: REASONS.find(known => known === reason),
  };
}

/**
 * Connects the tabs of this browser that share a session under one name. A message says who is signed in, and never
 * contains a token.
 *
 * @param name False: returns undefined.
 * @param lockTimeoutMs How long a tab may hold the lock. Absent: there is no lock.
 * @param channel Carries the messages. @default to all tabs of this origin
 */
export function createTabs(
  name: string | false,
  clock: Clock,
  lockTimeoutMs?: number,
  channel?: Pick<TabChannel, 'listen' | 'post'>,
): Tabs | undefined {
  // The sessions of a server are those of different visitors.
  if (name === false || isServer()) return undefined;
  const address = `data-client-auth:${name}`;
  const messages = channel ?? new TabChannel(address, clock);
  let postedAt = -Infinity;
  const propagated = async () => {
    const leftMs = PROPAGATION_MS - elapsedSince(postedAt, clock);
    if (leftMs > 0) await new Promise<void>(resolve => clock.setTimeout(resolve, leftMs));
  };

  return {
    listen(onMessage) {
      const { receive, cancel } = lockTimeoutMs === undefined ? atOnce(onMessage) : oncePropagated(onMessage, clock);
      const receiveData = (data: unknown) => {
        const message = parseMessage(data);
        if (message) receive(message);
      };
      const close = messages.listen(receiveData);
      return () => {
        cancel();
        close();
      };
    },

    post(subject, endedId, reason) {
      postedAt = clock.now();
      const message: Message = { subject, ...(endedId !== undefined && { endedId }), ...(reason && { reason }) };
      messages.post(message);
    },

    ...(lockTimeoutMs !== undefined && {
      propagated,
      withLock: (run, signal) =>
        withLock(`${address}:lock`, extendLock => run(extendLock).finally(propagated), {
          signal,
          timeoutMs: lockTimeoutMs,
          clock,
        }),
    }),
  };
}

type OnMessage = Parameters<Tabs['listen']>[0];

/** Passes each message on at once, for tabs that share no storage. */
function atOnce(onMessage: OnMessage) {
  return { receive: ({ subject, reason }: Message) => onMessage(subject, undefined, reason), cancel: () => {} };
}

/**
 * Waits `PROPAGATION_MS`, because a message may arrive before the storage shows the change. Then passes on the last subject, the latest
 * ended sign-in, and the reason of the end. A sign-out wins over an expiry or an idle end, and has no reason.
 */
function oncePropagated(onMessage: OnMessage, clock: Clock) {
  let cancel = () => {};
  let ended: string | undefined;
  let endReason: TabReason | undefined;
  let hasSignOut = false;
  const receive = ({ subject, endedId, reason }: Message) => {
    cancel();
    if (subject === null && reason) endReason = reason;
    else if (subject === null) hasSignOut = true;
    if (ended === undefined || (endedId !== undefined && endedId > ended)) ended = endedId;
    cancel = clock.setTimeout(() => {
      const [latestEnded, latestReason] = [ended, hasSignOut ? undefined : endReason];
      ended = endReason = undefined;
      hasSignOut = false;
      onMessage(subject, latestEnded, latestReason);
    }, PROPAGATION_MS);
  };
  return { receive, cancel: () => cancel() };
}

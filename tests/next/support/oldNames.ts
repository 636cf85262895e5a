// The old entry points, over the new core: what `NEXT_CORE=1` puts in their place. It leaves with the old core.
import { assertFunctions } from '../../../src/mechanisms/assertFunctions.js';
import { clockedSession } from '../../../src/next/clock/clockedSession.js';
import { lock } from '../../../src/next/lock/lock.js';
import { keepLocked } from './oldLock.js';
import { createContextSession as context, createSdkSession as sdk } from '../../../src/next/mechanisms/context.js';
import { createCookieSession as cookie } from '../../../src/next/mechanisms/cookie.js';
import { createTokenSession as token } from '../../../src/next/mechanisms/token.js';
import type { Extension } from '../../../src/next/session/extension.js';
import type { Mechanism as OldMechanism } from '../../../src/session/mechanism.js';
import { createSessionCore as createNext, type SessionOptions } from '../../../src/next/session/createSession.js';
import type { AnyMechanism } from '../../../src/next/session/mechanism.js';
import { createTabGate } from '../../../src/next/mechanisms/tabGate.js';
import type { TabGateEvents } from '../../../src/next/session/tabGate.js';
import { DEFAULT_TIMEOUT_MS, systemClock } from '../../../src/clock.js';

export { startCookieSession } from '../../../src/next/mechanisms/cookie.js';
export { isSessionCore } from '../../../src/next/session/createSession.js';
export const registerCore = <T>(core: T): T => core;

type Clock = NonNullable<SessionOptions<unknown, unknown>['clock']>;
type Old = OldMechanism<unknown, unknown, readonly unknown[], readonly unknown[], readonly unknown[]>;

/** A mechanism of the second edition as one of the third. Members that are getters stay getters. */
function renamed(old: Old, clock: Clock = systemClock): AnyMechanism<unknown, unknown> {
  const next = {
    gate: old.browserManaged
      ? (events: TabGateEvents) =>
          createTabGate({ name: false, clock, timeoutMs: old.timeoutMs ?? DEFAULT_TIMEOUT_MS, events })
      : undefined,
    get timeout() {
      return old.timeoutMs;
    },
    attach: (request: never, credential: unknown, role?: string) =>
      role && role !== 'logout' ? (request as { init: RequestInit }).init : old.attachCredential(request, credential),
    classify: old.classifyResponse && ((response: Response) => old.classifyResponse!(response)),
    read: old.readCredential && ((known: unknown) => old.readCredential!(known)),
    isSame: old.isSameCredential?.bind(old),
    subjectOf: old.subjectOfResponse?.bind(old),
    refreshAt:
      old.refreshAt &&
      ((credential: unknown, method: string) =>
        old.appliesTo?.(method) === false ? undefined : old.refreshAt!(credential)),
    autoRefresh: old.refreshProactively,
  };
  return new Proxy(next, {
    get(_, key) {
      const value: unknown = Reflect.get(next, key) ?? Reflect.get(old, key);
      return typeof value === 'function' ? (value.bind(old) as unknown) : value;
    },
    has: (_, key) => key in old,
  }) as unknown as AnyMechanism<unknown, unknown>;
}

type OldOptions = SessionOptions<unknown, unknown> & {
  readonly challenge?: unknown;
};

/** The old member by which a lock said that it is there. */
const lockable: Extension = session => {
  const keep: Extension = core => ({ onEnd: reason => lock()(core).onEnd?.(reason) });
  Object.assign(session, { lockOnExpiry: (onUnused: () => void) => keepLocked(session, keep, onUnused) });
  return {};
};

/** The old option `challenge` is an extension now. */
function extended<T>(options: T): T {
  const { challenge, clock = systemClock, extensions = [] } = (options ?? {}) as OldOptions;
  const found = [...extensions, clockedSession(clock), lockable, challenge as Extension | undefined].filter(
    one => one !== undefined,
  );
  return { ...options, extensions: found };
}

export const createSessionCore = (mechanism: Old, options?: OldOptions) =>
  createNext(renamed(mechanism, options?.clock), extended(options));

export const createTokenSession: typeof token = options => token(extended(options));
export const createCookieSession: typeof cookie = options => cookie(extended(options));
export const createSdkSession: typeof sdk = options => sdk(extended(options));
export const createContextSession: typeof context = (options, first) => context(extended(options), first);

export function createSession(mechanism: Old, options?: OldOptions) {
  assertFunctions(mechanism, {
    caller: 'createSession',
    required: ['attachCredential'],
    example:
      "createSession({ login, attachCredential: ({ init }, key) => (key ? attachHeader(init, 'X-API-Key', key) : init) })",
  });
  return createSessionCore(mechanism, options);
}

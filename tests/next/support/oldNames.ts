// The old entry points, over the new core: what `NEXT_CORE=1` puts in their place. It leaves with the old core.
import { assertFunctions } from '../../../src/mechanisms/assertFunctions.js';
import type { Mechanism as OldMechanism } from '../../../src/session/mechanism.js';
import { createSessionCore as createNext, type SessionOptions } from '../../../src/next/session/createSession.js';
import type { AnyMechanism } from '../../../src/next/session/mechanism.js';
import { createTabGate } from '../../../src/next/mechanisms/tabGate.js';
import type { TabGateEvents } from '../../../src/next/session/tabGate.js';
import { DEFAULT_TIMEOUT_MS, systemClock } from '../../../src/clock.js';

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

export const createSessionCore = (mechanism: Old, options?: SessionOptions<unknown, unknown>) =>
  createNext(renamed(mechanism, options?.clock), options);

export function createSession(mechanism: Old, options?: SessionOptions<unknown, unknown>) {
  assertFunctions(mechanism, {
    caller: 'createSession',
    required: ['attachCredential'],
    example:
      "createSession({ login, attachCredential: ({ init }, key) => (key ? attachHeader(init, 'X-API-Key', key) : init) })",
  });
  return createSessionCore(mechanism, options);
}

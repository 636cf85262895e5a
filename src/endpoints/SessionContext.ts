import { createContext, useContext, type Context } from 'react';
import { MissingProviderError } from '../errors.js';
import { getOrCreate } from '../getOrCreate.js';
import { isSessionCore } from '../session/createSession.js';
import type { SessionCore } from '../session/extension.js';
import type { BoundSession } from './boundSession.js';
import { LOAD_ONCE } from './sessionCore.js';

type SharedContext = Context<BoundSession | undefined>;

/** One context for each copy of React: a context works only in the copy that created it. */
const CONTEXTS = Symbol.for('data-client-auth/contexts');

/**
 * The session of the nearest provider. The same object until the identity ends, so other changes of the session re-render nothing.
 *
 * One context for the page, not for the module: a page may load the kit twice. A hook of one copy would otherwise look past the provider of
 * the other copy, and put the answers of an outer session into the store of the inner one.
 */
export const SessionContext = /* @__PURE__ */ sharedContext();

function sharedContext(): SharedContext {
  const page = globalThis as { [CONTEXTS]?: WeakMap<typeof createContext, SharedContext> };
  const contexts = (page[CONTEXTS] ??= new WeakMap());
  return getOrCreate(contexts, createContext, () => createContext<BoundSession | undefined>(undefined));
}

/** @throws TypeError when another copy of the package has bound the session. */
export function assertOwnCopy({ session }: BoundSession): void {
  if (!isSessionCore(session))
    throw new TypeError(
      `The nearest auth provider belongs to another copy of data-client-auth than this component: the page has loaded the package twice. ${LOAD_ONCE}`,
    );
}

/** For code that works without a session too. A session of another copy of the package is none. */
export function useNearestSession(): BoundSession | undefined {
  const bound = useContext(SessionContext);
  return bound && isSessionCore(bound.session) ? bound : undefined;
}

/**
 * @throws MissingProviderError naming the hook that was called.
 * @throws TypeError when the provider is of another copy of the package.
 */
export function useBoundSession(hook: string): BoundSession {
  const bound = useContext(SessionContext);
  if (bound) assertOwnCopy(bound);
  else throw new MissingProviderError(hook);
  return bound;
}

/**
 * @throws MissingProviderError naming the hook that was called.
 * @throws TypeError when the provider is of another copy of the package.
 */
export function useSessionCore(hook: string): SessionCore {
  return useBoundSession(hook).session;
}

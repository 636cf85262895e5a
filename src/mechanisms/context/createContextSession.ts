import { systemClock } from '../../clock.js';
import type { SessionCore } from '../../session/core.js';
import { createSessionCore } from '../../session/createSessionCore.js';
import { contextMechanism } from './contextMechanism.js';
import type { ContextSessionOptions } from './ContextSessionOptions.js';
import {
  isIdentityUnknown,
  setProps,
  signInFromProps,
  type ContextCredential,
  type ContextState,
  type ContextToken,
} from './contextSignIn.js';
import { TokenOwners } from './TokenOwners.js';

/**
 * A session whose credential comes from a component above, and whose sign-in happens elsewhere.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
 */
export function createContextSession(options: ContextSessionOptions, first: ContextCredential) {
  const { clock = systemClock, user, challenge } = options;
  const isRecord = user !== undefined;
  const state: ContextState = { props: first, user: undefined, isRecord, period: {}, owners: new TokenOwners(), clock };
  const session: SessionCore<ContextToken, unknown> = createSessionCore(
    contextMechanism(options, state, () => session),
    // A component creates this session, so two visitors never share it.
    {
      clock,
      user,
      challenge,
      initial: signInFromProps(state) ?? (first.subject === null ? null : undefined),
      server: true,
    },
  );
  return {
    session,
    /** Takes over the props of a new render. No effect when they are equal. */
    update(next: ContextCredential): void {
      const before = state.props;
      setProps(state, next);
      if (before.subject === next.subject && before.token === next.token && !before.getToken === !next.getToken) return;
      const signedIn = signInFromProps(state);
      if (signedIn) session.adopt(signedIn);
      else if (isIdentityUnknown(next)) void session.refresh().catch(() => {});
      else session.leave('elsewhere');
    },
    /** Call when the component above is unmounted: signs out until the next `update`. */
    close(): void {
      state.props = { subject: null };
      session.dispose();
    },
  };
}

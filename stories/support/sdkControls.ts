import { createGate } from '../../src/testing/index.js';
import { createCounter } from './RenderCounter.js';

export type SdkControls = ReturnType<typeof sdkControls>;

/** Controls a mock SDK, and counts its calls for a fresh token. */
export function sdkControls() {
  const fresh = createCounter();
  let renewals = 0;
  let failure: Error | undefined;
  const gate = createGate();

  return {
    /** Counts the calls for a fresh token. */
    fresh,
    /** How many calls for a fresh token wait now. */
    get held() {
      return gate.held;
    },
    get renewals() {
      return renewals;
    },
    /** Replaces its cached token, as SDKs do some time before it expires. */
    renew: () => void (renewals += 1),
    /** Calls for a fresh token fail with this error; undefined ends it. */
    fail: (error?: Error) => void (failure = error),
    /** Holds fresh tokens back until the returned function is called. */
    hold: () => {
      const release = gate.hold();
      return () => release();
    },
    /** Counts a call for a fresh token, waits while tokens are held, and throws the failure if there is one. */
    async pass() {
      fresh.add();
      await gate.pass();
      if (failure) throw failure;
    },
    reset() {
      gate.reset();
      failure = undefined;
      renewals = 0;
      fresh.reset();
    },
  };
}

import { createCounter } from './RenderCounter.js';

export type SdkControls = ReturnType<typeof sdkControls>;

/** What a story does to a mock SDK, and how often that was asked for a token past its cache. */
export function sdkControls() {
  const fresh = createCounter();
  let renewals = 0;
  let failure: Error | undefined;
  let busy: Promise<void> | undefined;
  let release = () => {};
  let held = 0;

  return {
    /** How often it was asked for a fresh token. */
    fresh,
    /** How many fresh tokens it is asked for and holds back now. */
    get held() {
      return held;
    },
    get renewals() {
      return renewals;
    },
    /** It renews its token by itself, as SDKs do some time before it expires. */
    renew: () => void (renewals += 1),
    /** Fresh tokens are refused with this error; undefined ends it. */
    fail: (error?: Error) => void (failure = error),
    /** Holds fresh tokens back until the returned function is called. */
    hold() {
      busy = new Promise(resolve => (release = resolve));
      return () => {
        busy = undefined;
        release();
      };
    },
    /** What stands between the asking for a fresh token and the token. */
    async pass() {
      fresh.add();
      held += 1;
      await busy;
      held -= 1;
      if (failure) throw failure;
    },
    reset() {
      release();
      busy = failure = undefined;
      renewals = 0;
      fresh.reset();
    },
  };
}

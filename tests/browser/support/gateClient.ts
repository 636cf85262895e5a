import { systemClock } from '../../../src/clock.js';
import { createTabGate } from '../../../src/session/tabGate.js';
import type { Lease, Passage } from '../../../src/session/tabGate.js';

/** A session with nothing but its tab gate. */
function createClient(timeoutMs: number) {
  /** Null: nobody. Undefined: not known. */
  let who: string | null | undefined;
  let isSignedOut = false;
  /** The cookie may be another user's by now. */
  let isStale = true;
  let checking: Promise<void> | undefined;
  const gate = createTabGate({
    name: 'lab',
    clock: systemClock,
    timeoutMs,
    events: {
      isSignedIn: () => typeof who === 'string',
      onStale: () => void (isStale = true),
      onSignedOut: end,
      onSignedIn() {
        isSignedOut = false;
        if (!gate.lease?.isHeld) void check();
      },
      onOpen: () => void (!isSignedOut && who !== null && !document.hidden && check()),
    },
  });
  let ended = new AbortController();

  function end(): void {
    who = null;
    isSignedOut = true;
    ended.abort();
    ended = new AbortController();
  }

  const whoami = async (signal: AbortSignal) => {
    const answer = await fetch('/whoami', { cache: 'no-store', signal });
    return ((await answer.json()) as { who: string | null }).who;
  };

  const check = () => (checking ??= ask().finally(() => (checking = undefined)));

  async function ask(): Promise<void> {
    const lease = await gate.hold();
    if (!lease.isHeld || isSignedOut) return;
    const passage = gate.enter();
    try {
      const found = await whoami(passage.signal);
      if (!lease.isHeld || isSignedOut) return;
      who = found;
      isStale = false;
      if (who === null) gate.release();
    } catch {
      // The next request asks again.
    } finally {
      passage.leave();
    }
  }

  async function pass(): Promise<Passage | undefined> {
    for (;;) {
      if (who === null) return undefined;
      const wait = gate.obstacle() ?? (gate.lease?.isHeld && !isStale ? undefined : check());
      if (!wait) return gate.enter(ended.signal);
      await wait;
    }
  }

  async function request(path: string): Promise<number> {
    const close = gate.open();
    const passage = await pass();
    const screen = who;
    const { signal } = ended;
    try {
      const credentials = passage ? 'same-origin' : 'omit';
      const signals = passage ? [signal, passage.signal] : [signal];
      const answer = await fetch(`${path}?screen=${screen}`, {
        cache: 'no-store',
        credentials,
        signal: AbortSignal.any(signals),
      });
      passage?.leave();
      const owner = ((await answer.json()) as { who: string | null }).who;
      if (passage && !signal.aborted && gate.lease?.isHeld && who === screen && owner !== screen) wrong++;
      return answer.status;
    } finally {
      passage?.leave();
      close();
    }
  }
  let wrong = 0;

  const post = (path: string, signal: AbortSignal) =>
    fetch(path, { method: 'POST', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * 3)]) });

  const login = (as: string) =>
    gate.write('login', undefined, async turn => {
      await post(`/login?as=${as}`, turn.signal).catch(() => {});
      who = undefined;
      who = await whoami(turn.signal);
      isStale = false;
      isSignedOut = false;
      if (who === as) turn.tell('signed-in');
    });

  const logout = (was = who) => {
    const lease: Lease | undefined = was === who && !isStale ? gate.lease : undefined;
    end();
    return gate.write('logout', lease, async turn => {
      if (!turn.isSure) {
        const found = await whoami(turn.signal);
        if (found === null || (was !== undefined && found !== was)) return;
        turn.tell('signed-out');
      }
      await post('/logout', turn.signal);
    });
  };

  gate.start();
  return {
    request,
    login,
    logout,
    check,
    who: () => who,
    isHeld: () => gate.lease?.isHeld ?? false,
    wrong: () => wrong,
  };
}

/** Messages come late, or never. */
function disturbMessages(lateMs: number, lost: number): void {
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (message) {
    sent.push(message as string);
    if (Math.random() < lost) return;
    if (lateMs === 0) return postMessage.call(this, message);
    setTimeout(() => {
      try {
        postMessage.call(this, message);
      } catch {
        // The page was left.
      }
    }, Math.random() * lateMs);
  };
}
const sent: string[] = [];

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

function createLab(lateMs: number, lost: number, timeoutMs: number) {
  disturbMessages(lateMs, lost);
  const client = createClient(timeoutMs);
  let failed = 0;
  const note = () => client.request('/note').catch(() => void failed++);
  return {
    ...client,
    note,
    failed: () => failed,
    sent,
    async busy(ms: number) {
      const end = performance.now() + ms;
      const loop = async () => {
        while (performance.now() < end) {
          await note();
          await pause(Math.random() * 10);
        }
      };
      await Promise.all([loop(), loop(), loop()]);
    },
    async idle() {
      await pause(Math.random() * 60);
      for (let i = 0; i < 5; i++) {
        await note();
        await pause(Math.random() * 15);
      }
    },
    /** The page does nothing at all, as one that the system has stopped. */
    stop(ms: number) {
      const end = Date.now() + ms;
      while (Date.now() < end);
    },
  };
}

export type Lab = ReturnType<typeof createLab>;

declare global {
  interface Window {
    startLab: typeof createLab;
    lab: Lab;
  }
}

window.startLab = createLab;

import type { TokenStorage } from '../../../src/mechanisms/tokenStorage.js';
import type { ManualClock } from './manualClock.js';
import { TIMEOUT_MS } from './modelServer.js';
import { storedTokens } from './storedTokens.js';

/** What is stored of a sign-in, as far as the model reads it. */
export interface StoredText {
  readonly subject: string;
  readonly signInId: string;
  readonly credential: { readonly accessToken: string; readonly refreshToken: string };
}

interface Tabs {
  isGone(tab: number): boolean;
  /** What the server has refused. */
  isRefused(token: string): boolean;
  /** Without Web Locks, another tab may get the lock while the holder waits for the server. */
  readonly hasWebLocks: boolean;
}

/** As many sign-ins as there are may be made in one millisecond; each has an id that is one later. */
const SIGN_INS_AT_ONCE = 60;

/**
 * Which stored sign-ins may be removed for good: one that the server has refused, that is not the latest, that a
 * tab has signed out which showed its user, or did not know yet whose it is, or whose session was disposed of
 * while it was stored. Any other one has to be stored again, by the tab that has signed in.
 */
function createSignIns(clock: ManualClock, { isRefused }: Tabs) {
  /** Who was signed out, or signed in by a session that was disposed of while it stored that. */
  const ends: { person: string; at: number }[] = [];
  const removed = new Map<string, StoredText>();
  let latestId = '';
  const hasEnded = ({ subject, signInId, credential }: StoredText) => {
    const isOlder = ({ at }: { at: number }) => Number.parseInt(signInId, 10) <= at + SIGN_INS_AT_ONCE;
    const isEnded = ends.some(end => [subject, 'nobody'].includes(end.person) && isOlder(end));
    return isEnded || signInId < latestId || isRefused(credential.accessToken) || isRefused(credential.refreshToken);
  };
  return {
    onStore: ({ signInId }: StoredText) => {
      removed.delete(signInId);
      latestId = signInId > latestId ? signInId : latestId;
    },
    onEnd: (person: string) => void ends.push({ person, at: clock.now() }),
    onRemove: (found: StoredText) => void (hasEnded(found) || removed.set(found.signInId, found)),
    /** Whose sign-in is gone, which neither a user nor the server had ended. */
    lost: () => [...removed.values()].filter(found => !hasEnded(found)).map(({ subject }) => subject),
  };
}

/** The record of a sign-out by a user who had signed in later: the one before was replaced, though the later one was never stored. */
function isSignOutAfter(text: string | null, { signInId }: StoredText): boolean {
  const { id = '', ended } = JSON.parse(text ?? '{}') as { id?: string; ended?: string };
  return ended === 'signed-out' && id > signInId;
}

/**
 * The storage that the tabs of the model share. Without latencies it answers at once. With them, each read and write takes effect at
 * some moment, and is answered at a later one; and one that hangs takes effect, and is answered too late, or never.
 */
export function modelStorage(clock: ManualClock, latencies: readonly number[], tabs: Tabs) {
  const { isGone } = tabs;
  const signIns = createSignIns(clock, tabs);
  let text: string | null = null;
  let operations = 0;
  let underWay = 0;
  let hanging = 0;
  let hasHung = false;
  const nextHang = new Map<string, number>();
  const later = (ms: number) =>
    ms === 0 ? Promise.resolve() : new Promise<void>(resolve => clock.setTimeout(resolve, ms));
  const latency = () => latencies[operations++ % latencies.length]!;
  const never = <T>() => new Promise<T>(() => {});
  /** The stored sign-in. The record of a sign-out has a position and no tokens, and is none. */
  const stored = (): StoredText | undefined => {
    if (storedTokens(text).length === 0) return undefined;
    const record = JSON.parse(text!) as StoredText & { readonly id?: string };
    return { ...record, signInId: record.signInId ?? record.id! };
  };
  /** What each tab has read or written last. */
  const known = new Map<number, string | null>();
  /** A storage that takes its time cannot compare and remove at once: without the lock, another tab may store in between. */
  const isRaced = (tab: number) => latencies.length > 0 && !tabs.hasWebLocks && known.get(tab) !== text;
  const put = (tab: number, next: string | null) => {
    const found = isRaced(tab) ? undefined : stored();
    known.set(tab, next);
    text = next;
    const signIn = stored();
    if (signIn) signIns.onStore(signIn);
    else if (found && !isSignOutAfter(next, found)) signIns.onRemove(found);
  };

  /** @returns once it is answered; false when it never is. */
  const answer = async (tab: number, act: 'read' | 'write'): Promise<boolean> => {
    const hangMs = nextHang.get(`${tab} ${act}`) ?? 0;
    nextHang.delete(`${tab} ${act}`);
    underWay++;
    if (hangMs === 0) await later(latency());
    underWay--;
    if (hangMs > 0) hanging++;
    hasHung ||= hangMs > 0;
    if (hangMs === Infinity) return false;
    await later(hangMs);
    // Its tab went on with what it knew, and may be sending that (docs/limits.md).
    if (hangMs > 0) void later(TIMEOUT_MS).then(() => hanging--);
    return !isGone(tab);
  };
  const operation = async <T>(tab: number, act: 'read' | 'write', effect: () => T): Promise<T> => {
    if (isGone(tab)) return never();
    underWay++;
    await later(latency());
    underWay--;
    if (isGone(tab)) return never();
    const result = effect();
    return (await answer(tab, act)) ? result : never();
  };
  const run = <T>(tab: number, act: 'read' | 'write', effect: () => T): T | Promise<T> =>
    latencies.length > 0 ? operation(tab, act, effect) : effect();

  return {
    stored,
    /** The storage as a tab has it. */
    of: (tab: number): TokenStorage => ({
      get: () =>
        run(tab, 'read', () => {
          known.set(tab, text);
          return text;
        }),
      set: next => run(tab, 'write', () => void (isGone(tab) || put(tab, next))),
      remove: () => run(tab, 'write', () => void (isGone(tab) || put(tab, null))),
    }),
    /** A tab signs this user out, or whoever is stored; or it is disposed of while it stores a login of this user. */
    onEnd: signIns.onEnd,
    lost: signIns.lost,
    isSlow: latencies.length > 0,
    /** The tab's next read or write is not answered for so long. */
    hang: (tab: number, act: 'read' | 'write', ms: number) => void nextHang.set(`${tab} ${act}`, ms),
    /** Whether a read or write is under way that does not hang. */
    isUnderWay: () => underWay > 0,
    /** Whether one hangs: no tab can count on reading what another one has stored. */
    isHanging: () => hanging > 0,
    hasHung: () => hasHung,
  };
}

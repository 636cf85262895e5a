import { useContext, useRef, useSyncExternalStore } from 'react';
import { SessionContext } from '../endpoints/SessionContext.js';
import { useBeforePaint } from '../providers/useBeforePaint.js';
import { idOf } from '../mechanisms/subjectOf.js';
import type { SessionCore } from '../session/core.js';
import type { SignOutReason } from '../session/types.js';
import type { FormValues } from './FormField.js';

const neverChanges = () => () => {};
const nobody = () => undefined;

/** What expiries and other tabs have interrupted, by identity and form. */
type Drafts = Map<string, Map<string, FormValues>>;

/** For each session. In memory only. */
const kept = new WeakMap<SessionCore, Drafts>();

export interface Draft {
  /** Tells one form of an identity from another; without it nothing is kept. */
  readonly key: string | undefined;
  /** What has been typed and not yet accepted; undefined when nothing has. */
  readonly unsaved: FormValues | undefined;
  /** Takes back what an expiry has interrupted. */
  readonly restore: (values: FormValues) => void;
}

/**
 * Keeps the text of a form that an expiry, or another tab, takes off the screen, and gives it back when the same identity is there
 * again: to nobody else, and not after a sign-out. Needs a `user` with an `id` or `sub` to know an identity again.
 */
export function useDraft({ key, unsaved, restore }: Draft): void {
  const session = useContext(SessionContext)?.session;
  const snapshot = useSyncExternalStore(session?.subscribe ?? neverChanges, session?.getSnapshot ?? nobody, session?.getServerSnapshot ?? nobody);
  const identity = snapshot?.status === 'authenticated' ? idOf(snapshot.user) : undefined;
  const latest = useRef({ unsaved, restore });
  latest.current = { unsaved, restore };

  useBeforePaint(() => {
    if (!session || key === undefined || identity === undefined) return undefined;
    const drafts = draftsOf(session);
    const draft = drafts.get(identity)?.get(key);
    if (draft) latest.current.restore(draft);
    return () => {
      const { unsaved: text } = latest.current;
      if (text && endedByOthers(session.getSnapshot().reason)) drafts.set(identity, new Map(drafts.get(identity)).set(key, text));
      else drafts.get(identity)?.delete(key);
    };
  }, [session, identity, key]);
}

/** The drafts of a session. A sign-out drops those of whoever was there last, wherever their forms are. */
function draftsOf(session: SessionCore): Drafts {
  const known = kept.get(session);
  if (known) return known;
  const drafts: Drafts = new Map();
  kept.set(session, drafts);
  let last: string | undefined;
  const follow = () => {
    const { status, reason, user } = session.getSnapshot();
    if (status === 'authenticated') last = idOf(user);
    if (reason === 'signed-out' && last !== undefined) drafts.delete(last);
  };
  follow();
  // Unlike `subscribe`, it leaves the session at rest while no provider is mounted.
  session.subscribeToCredential(follow);
  return drafts;
}

/** The server or another tab has ended the session, not the person who was typing here. */
function endedByOthers(reason: SignOutReason | undefined): boolean {
  return reason === 'expired' || reason === 'elsewhere';
}

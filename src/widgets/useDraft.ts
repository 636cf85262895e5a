import { useContext, useRef, useSyncExternalStore } from 'react';
import { SessionContext } from '../endpoints/SessionContext.js';
import { useBeforePaint } from '../providers/useBeforePaint.js';
import { idOf } from '../mechanisms/subjectOf.js';
import type { SignOutReason } from '../session/types.js';
import type { FormValues } from './FormField.js';

const neverChanges = () => () => {};
const nobody = () => undefined;

/** For each session, what expiries and other tabs have interrupted, by identity and form. In memory only. */
const kept = new WeakMap<object, Map<string, FormValues>>();

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
  const engine = useContext(SessionContext);
  const snapshot = useSyncExternalStore(engine?.subscribe ?? neverChanges, engine?.getSnapshot ?? nobody, engine?.getServerSnapshot ?? nobody);
  const identity = snapshot?.status === 'authenticated' ? idOf(snapshot.user) : undefined;
  const latest = useRef({ unsaved, restore });
  latest.current = { unsaved, restore };

  useBeforePaint(() => {
    if (!engine || key === undefined || identity === undefined) return undefined;
    const drafts = kept.get(engine) ?? new Map<string, FormValues>();
    kept.set(engine, drafts);
    const mine = JSON.stringify([identity, key]);
    const draft = drafts.get(mine);
    if (draft) latest.current.restore(draft);
    return () => {
      const { unsaved: text } = latest.current;
      if (text && endedByOthers(engine.getSnapshot().reason)) drafts.set(mine, text);
      else drafts.delete(mine);
    };
  }, [engine, identity, key]);
}

/** The server or another tab has ended the session, not the person who was typing here. */
function endedByOthers(reason: SignOutReason | undefined): boolean {
  return reason === 'expired' || reason === 'elsewhere';
}

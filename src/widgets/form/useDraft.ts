import { useContext, useRef, useSyncExternalStore } from 'react';
import { SessionContext } from '../../endpoints/SessionContext.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import type { SessionCore } from '../../session/core.js';
import type { SignOutReason } from '../../session/session.js';
import type { FormValues } from './FormField.js';

const neverChanges = () => () => {};
const unknownSubject = () => undefined;

/** What expiries and other tabs have interrupted, by subject and form. */
type Drafts = Map<string, Map<string, FormValues>>;

/** For each session. In memory only. */
const draftsBySession = new WeakMap<SessionCore, Drafts>();

export interface Draft {
  /** Tells one form of a user from another; without it nothing is kept. */
  readonly key: string | undefined;
  /** The text that was typed and not yet accepted; undefined when there is none. */
  readonly unsaved: FormValues | undefined;
  /** Puts back the text that an expiry has interrupted. */
  readonly restore: (values: FormValues) => void;
}

/**
 * Keeps the text of a form that an expiry, or another tab, takes off the screen, and gives it back when the same user is signed in
 * again: to no other user, and not after a sign-out. The session's subject tells users apart, and nothing else does: where no answer
 * names the user, each sign-in is another subject and gets no text.
 */
export function useDraft({ key, unsaved, restore }: Draft): void {
  const session = useContext(SessionContext)?.session;
  const subject = useSyncExternalStore(session?.subscribe ?? neverChanges, session?.getSubject ?? unknownSubject, unknownSubject);
  const latest = useRef({ unsaved, restore });
  latest.current = { unsaved, restore };

  useBeforePaint(() => {
    if (!session || key === undefined || subject === undefined) return undefined;
    const drafts = draftsOf(session);
    const draft = drafts.get(subject)?.get(key);
    if (draft) latest.current.restore(draft);
    return () => {
      const { unsaved: text } = latest.current;
      if (text && endedByOthers(session.getSnapshot().reason)) drafts.set(subject, new Map(drafts.get(subject)).set(key, text));
      else drafts.get(subject)?.delete(key);
    };
  }, [session, subject, key]);
}

/** The drafts of a session. A sign-out drops those of the last user, wherever their forms are. */
function draftsOf(session: SessionCore): Drafts {
  const known = draftsBySession.get(session);
  if (known) return known;
  const drafts: Drafts = new Map();
  draftsBySession.set(session, drafts);
  let last: string | undefined;
  const follow = () => {
    last = session.getSubject() ?? last;
    if (session.getSnapshot().reason === 'signed-out' && last !== undefined) drafts.delete(last);
  };
  follow();
  // Unlike `subscribe`, it leaves the session at rest while no provider is mounted.
  session.subscribeToCredential(follow);
  return drafts;
}

/** The server or another tab has ended the session, not the user who was typing here. */
function endedByOthers(reason: SignOutReason | undefined): boolean {
  return reason === 'expired' || reason === 'elsewhere';
}

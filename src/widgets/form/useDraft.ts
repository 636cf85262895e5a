import { useCallback, useEffect, useInsertionEffect, useSyncExternalStore } from 'react';
import type { BoundSession } from '../../endpoints/boundSession.js';
import { useNearestSession } from '../../endpoints/SessionContext.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import type { FormValues } from './FormField.js';

type DraftSession = BoundSession['session'];

/** Texts of forms that an expiry or another tab has removed from the screen: by subject, then by form. */
type Drafts = Map<string, Map<string, FormValues>>;

/** In memory only. */
const draftsBySession = new WeakMap<DraftSession, Drafts>();

interface DraftOptions {
  /** Identifies the form among those of a user. @default nothing is stored */
  readonly key: string | undefined;
  /** Text that has not been accepted yet; undefined when there is none. */
  readonly unsaved: FormValues | undefined;
  /** Called before the first paint with the stored text. */
  readonly restore: (values: FormValues) => void;
}

/**
 * Stores the text of a form when an expiry or another tab removes it from the screen, and restores it when the same user signs in again.
 *
 * No other user gets the text, and a sign-out deletes it. Users are compared by the session's subject only. Where the server's responses
 * name no user, each sign-in is another subject, and nothing is restored.
 */
export function useDraft({ key, unsaved, restore }: DraftOptions): void {
  const session = useNearestSession()?.session;
  const subject = useSyncExternalStore(
    session?.subscribe ?? subscribeToNothing,
    session?.getSubject ?? getNoSubject,
    getNoSubject,
  );
  const latest = useLatest({ unsaved, restore });

  useBeforePaint(() => {
    if (!session || key === undefined || subject === undefined) return;
    const drafts = ensureDrafts(session).get(subject);
    const draft = drafts?.get(key);
    // Once: a form that was hidden for a while and is shown again has its own text.
    if (drafts?.delete(key)) latest.current.restore(draft!);
  }, [session, subject, key]);

  const endDraft = useCallback(() => {
    if (!session || key === undefined || subject === undefined) return;
    const drafts = ensureDrafts(session);
    const { unsaved: text } = latest.current;
    if (text && hasEndedElsewhere(session)) drafts.set(subject, new Map(drafts.get(subject)).set(key, text));
    else drafts.get(subject)?.delete(key);
  }, [session, subject, key, latest]);
  // At the end of the form, also if it is hidden then. `<Suspense>` ends the layout effects of what it hides, and `<Activity>` the passive
  // ones too. Neither ends insertion effects, but React 18 skips these when a hidden form is unmounted.
  useInsertionEffect(() => endDraft, [endDraft]);
  useEffect(() => endDraft, [endDraft]);
}

const subscribeToNothing = () => () => {};
const getNoSubject = () => undefined;

/** The drafts of a session. The first call subscribes to it, and a sign-out then deletes the drafts of the user who was signed in. */
function ensureDrafts(session: DraftSession): Drafts {
  const existing = draftsBySession.get(session);
  if (existing) return existing;
  const drafts: Drafts = new Map();
  draftsBySession.set(session, drafts);
  let lastSubject: string | undefined;
  const update = () => {
    lastSubject = session.getSubject() ?? lastSubject;
    if (session.getSnapshot().reason === 'signed-out' && lastSubject !== undefined) drafts.delete(lastSubject);
  };
  update();
  // Not `subscribe`: it would start the session while no provider is mounted.
  session.subscribeToCredential(update);
  return drafts;
}

/** Whether the server or another tab has ended the session, and not the user on this page. */
function hasEndedElsewhere(session: DraftSession): boolean {
  const { reason } = session.getSnapshot();
  return reason === 'expired' || reason === 'elsewhere' || reason === 'idle';
}

import { createContext, useContext, useMemo, useRef, type ReactNode } from 'react';
import { keepIfEqual } from '../../keepIfEqual.js';
import type { EndCause } from '../../sessionClock/RunningClock.js';
import { ENGLISH_LABELS } from './englishLabels.js';

/**
 * Every text that a widget shows without being given one. Counts are plain numbers: format them for the language of your texts, with
 * `count.toLocaleString('de')`. Without a language, the browser's own is used.
 */
export interface WidgetLabels {
  readonly loading: string;
  /** Shown while newer data loads and the previous data stays visible. */
  readonly updating: string;
  readonly empty: string;
  /** Shown when no row matches the filter. */
  readonly noMatches: string;
  readonly retry: string;
  readonly retrying: string;
  readonly notFound: string;
  readonly removed: string;
  /** The question before a deletion. The name comes from `getItemLabel`. */
  readonly confirmDelete: (name: string | undefined) => string;
  /** The buttons below that question. */
  readonly delete: string;
  readonly cancel: string;
  /** Shown in place of a record whose deletion can be undone. Lists and details announce it for every record that the user deletes. The name comes from `getItemLabel`. */
  readonly deleted: (name: string | undefined) => string;
  readonly undo: string;
  /** Announced when the user has undone a deletion, or a record is back because its deletion has failed. The name comes from `getItemLabel`. */
  readonly undone: (name: string | undefined) => string;
  /** Announced by a list when the server has created a row. The name comes from `getItemLabel`. */
  readonly created: (name: string | undefined) => string;
  /** The accessible name of the button that opens the menu of a row's actions. The name comes from `itemLabel`. */
  readonly moreActions: (name: string | undefined) => string;
  readonly create: string;
  readonly save: string;
  readonly saving: string;
  /** Shown beside the button of a form after a success. */
  readonly saved: string;
  /** The button of a form whose record another user has changed: it loads the record, and what the user has typed stays. */
  readonly reload: string;
  /** Shown above a form that the user may not send, if the answer has no reason. */
  readonly denied: string;
  /** The text for a field that the server names with a code and no message, as GitHub does: `missing_field`, `already_exists`, `invalid`. */
  readonly invalidField: (code: string) => string;
  /** The hint of a `list` field that has no other one. */
  readonly onePerLine: string;
  /** Refuses a number with more digits than can be sent. */
  readonly inexactNumber: string;
  readonly loadMore: string;
  readonly loadingMore: string;
  /** The heading of the login form. */
  readonly signInTitle: string;
  readonly signIn: string;
  readonly signingIn: string;
  readonly username: string;
  readonly password: string;
  /** The button beside a password. It is pressed while the password is readable. */
  readonly showPassword: string;
  /** The checkbox of a login form with `remember`. */
  readonly remember: string;
  readonly wrongLogin: string;
  /** Shown in the login form for an error whose own message is for the developer. That message goes to the console. */
  readonly loginFailed: string;
  /** The heading of the dialog of a challenge. */
  readonly challengeTitle: string;
  readonly code: string;
  readonly continue: string;
  readonly continuing: string;
  /** Shown when the server refuses the answer to a challenge, and says no more. */
  readonly wrongAnswer: string;
  /** Shown above the login form after the user has signed out. */
  readonly signedOut: string;
  /** Shown above the login form after the server has refused the session. */
  readonly sessionExpired: string;
  /** The name of the dialog in which the user of a locked session signs in again. */
  readonly locked: string;
  /** The button of that dialog that ends the session. */
  readonly notMe: string;
  /** Shown above the login form after a sign-out in another tab, with the SDK, or by the server's own pages. */
  readonly signedOutElsewhere: string;
  /** Shown above the login form after the session was ended because of no activity; see `sessionClock`. */
  readonly signedOutIdle: string;
  /** Announced when the session is about to end. `canStay` is false when nothing can extend it. */
  readonly sessionEnding: (cause: EndCause, canStay: boolean) => string;
  /** The time until the end, in the warning before it. */
  readonly timeLeft: (seconds: number) => string;
  /** The buttons of that warning. */
  readonly staySignedIn: string;
  readonly signOutNow: string;
  /** Shown above the login form when the check for an existing session failed. A button beside it says `retry`. */
  readonly notRestored: string;
  /** Shown above the login form when the server has not confirmed the sign-out. A button beside it says `retry`. */
  readonly logoutUnconfirmed: string;
  /** Announced when a page has been loaded: its new rows, all loaded rows, and the number of rows on all pages, if the server says it. */
  readonly loaded: (more: number, loaded: number, total: number | undefined) => string;
  /** Shown below a list when all rows have been loaded, and the server says so. */
  readonly allLoaded: (total: number) => string;
  /**
   * Announced when a list without a note shows other rows. Shown below a list with a next page if the server says the total, and below a list that ends, or may end, before all rows are loaded. The
   * total is undefined if the server does not say it.
   */
  readonly someLoaded: (loaded: number, total: number | undefined) => string;
  /** The accessible name of the buttons that choose a page. */
  readonly pages: string;
  /**
   * The accessible name of the button for one page, and the note below a list whose server does not say the total. The button shows the
   * number that is in it.
   */
  readonly page: (page: number) => string;
  readonly previousPage: string;
  readonly nextPage: string;
  /** Shown below one page of a list: the places of its first and its last row, and the number of rows on all pages. */
  readonly shownRows: (first: number, last: number, total: number) => string;
  /** Shown in place of the rows of a page beyond the last one. */
  readonly emptyPage: string;
  /**
   * The text for an error. `serverMessage` is the `detail`, `message` or `title`, or the sentence in `error`, in the JSON of a 4xx answer
   * that is no 401. `failureKind(error)` tells what went wrong.
   */
  readonly failure: (error: Error, serverMessage?: string) => string;
}

/** The overrides of the providers above. */
const WidgetLabelsContext = /* @__PURE__ */ createContext<Partial<WidgetLabels>>({});

export interface WidgetLabelsProviderProps {
  /** Overrides for built-in texts. Texts that are left out come from the provider above, else they are English. */
  labels: Partial<WidgetLabels>;
  children: ReactNode;
}

/**
 * Sets the texts of all widgets below, e.g. for another language. The `labels` prop of a widget overrides them.
 *
 * Write the labels outside of the component: a function that is new at each render counts as another text and renders all rows below.
 *
 * @example
 * const german = {
 *   loading: 'Lädt…',
 *   retry: 'Erneut versuchen',
 *   loaded: (more: number, loaded: number) => `${more} weitere, ${loaded} insgesamt.`,
 * };
 *
 * <WidgetLabelsProvider labels={german}>
 *   <App />
 * </WidgetLabelsProvider>
 */
export function WidgetLabelsProvider({ labels, children }: WidgetLabelsProviderProps): ReactNode {
  const inherited = useContext(WidgetLabelsContext);
  const merged = useMemo(() => ({ ...inherited, ...labels }), [inherited, labels]);
  return <WidgetLabelsContext.Provider value={merged}>{children}</WidgetLabelsContext.Provider>;
}

/** The texts of a widget. The same object as long as all texts are equal, so that rows do not render again. */
export function useWidgetLabels(overrides: Partial<WidgetLabels> | undefined): WidgetLabels {
  const previous = useRef<WidgetLabels>(undefined);
  const labels: WidgetLabels = { ...ENGLISH_LABELS, ...useContext(WidgetLabelsContext), ...overrides };
  // Writing a ref in render is safe here: equal texts give the same object, in whichever order renders happen.
  return (previous.current = keepIfEqual(previous.current, labels));
}

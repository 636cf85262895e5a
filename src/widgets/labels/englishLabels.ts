import type { EndCause } from '../../sessionClock/RunningClock.js';
import { failureKind, getErrorStatus, type FailureKind } from './failureKind.js';

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

export const ENGLISH_LABELS: WidgetLabels = {
  loading: 'Loading…',
  updating: 'Updating…',
  empty: 'Nothing here yet.',
  noMatches: 'No matches.',
  retry: 'Try again',
  retrying: 'Trying again…',
  notFound: 'This does not exist, or it was deleted.',
  removed: 'Deleted.',
  confirmDelete: name => (name === undefined ? 'Delete this?' : `Delete “${name}”?`),
  delete: 'Delete',
  cancel: 'Cancel',
  deleted: name => (name === undefined ? 'Deleted.' : `“${name}” is deleted.`),
  undo: 'Undo',
  undone: name => (name === undefined ? 'Not deleted.' : `“${name}” is not deleted.`),
  created: name => (name === undefined ? 'Created.' : `“${name}” is created.`),
  moreActions: name => (name === undefined ? 'More actions' : `More actions for “${name}”`),
  create: 'Create',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Saved.',
  reload: 'Load again',
  denied: 'You are not allowed to change this.',
  invalidField: describeCode,
  onePerLine: 'One per line.',
  inexactNumber: 'This number has too many digits to be saved as it is.',
  loadMore: 'Load more',
  loadingMore: 'Loading more…',
  signInTitle: 'Sign in to your account',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  username: 'User name',
  password: 'Password',
  showPassword: 'Show password',
  remember: 'Keep me signed in',
  wrongLogin: 'The user name or the password is wrong.',
  loginFailed: 'Signing in did not work. Try again later.',
  challengeTitle: 'Confirm that it is you',
  code: 'Code',
  continue: 'Continue',
  continuing: 'Checking…',
  wrongAnswer: 'This is not right. Try again.',
  signedOut: 'You are signed out.',
  sessionExpired: 'Your session has ended. Sign in to continue.',
  locked: 'Your session has ended. Sign in again to continue where you were.',
  notMe: 'Not me',
  signedOutElsewhere: 'You were signed out elsewhere, for example in another tab. Sign in to continue.',
  signedOutIdle: 'You were signed out because you were away. Sign in to continue.',
  sessionEnding: describeEnding,
  timeLeft: describeTimeLeft,
  staySignedIn: 'Stay signed in',
  signOutNow: 'Sign out now',
  notRestored: 'We could not check if you are signed in. Check the connection and try again, or sign in.',
  logoutUnconfirmed:
    'You are signed out on this page, but the server did not confirm it. Your session may still be open there. Check the connection and try again.',
  loaded: (more, loaded, total) =>
    `${more.toLocaleString('en')} more loaded, ${loaded.toLocaleString('en')} ${total === undefined ? 'in all' : `of ${total.toLocaleString('en')}`}.`,
  allLoaded: total => `All ${total.toLocaleString('en')} loaded.`,
  someLoaded: (loaded, total) =>
    total === undefined
      ? `${loaded.toLocaleString('en')} loaded.`
      : `${loaded.toLocaleString('en')} of ${total.toLocaleString('en')} loaded.`,
  pages: 'Pages',
  page: page => `Page ${page.toLocaleString('en')}`,
  previousPage: 'Previous',
  nextPage: 'Next',
  shownRows: (first, last, total) =>
    `${first === last ? '' : `${first.toLocaleString('en')}–`}${last.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  emptyPage: 'This page is empty.',
  failure: describeError,
};

const TEXT_BY_KIND: Readonly<Record<Exclude<FailureKind, 'refused' | 'app'>, string>> = {
  offline: 'The server could not be reached. Check the connection.',
  'signed-out': 'Sign in to continue.',
  forbidden: 'You do not have access to this.',
  'not-found': 'This does not exist, or it was deleted.',
  conflict: 'Another user has changed this. Load it again and repeat your change.',
  'too-large': 'This is too large for the server. Send less at a time, or a smaller file.',
  invalid: 'The server did not accept this. Check what you entered.',
  'too-many-requests': 'Too many requests. Try again in a while.',
  unavailable: 'The server has a problem. Try again in a while.',
  unreadable: 'The server sent something that this page cannot show.',
  canceled: 'This was called off. Try again.',
  unexpected: 'Something went wrong on this page. Try again, or reload the page.',
};

/**
 * The English text for an error, for the user of the app: the server's own message where it has one, else a sentence
 * for the kind of the failure. The text of an error that is meant for developers is never part of it.
 */
export function describeError(error: Error, serverMessage?: string): string {
  if (serverMessage !== undefined) return serverMessage;
  const kind = failureKind(error);
  if (kind === 'refused') return `The server refused this (${getErrorStatus(error)}).`;
  return kind === 'app' ? error.message : TEXT_BY_KIND[kind];
}

/** A map, because the code comes from the server: an object has a `constructor`, too. */
const TEXT_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['missing', 'This does not exist.'],
  ['missing_field', 'This is required.'],
  ['already_exists', 'This is taken already.'],
]);

/**
 * The English text for a field that the server names with a code only.
 *
 * @see https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed
 */
export function describeCode(code: string): string {
  return TEXT_BY_CODE.get(code) ?? 'This is not valid.';
}

/** The English text before the end of a session. */
function describeEnding(cause: EndCause, canStay: boolean): string {
  if (cause === 'idle') return 'You will soon be signed out, because you have not used this page for a while.';
  return canStay ? 'Your session ends soon.' : 'Your session ends soon. Save your work, then sign in again.';
}

/** The English text for a time: `1 minute 5 seconds left`. */
function describeTimeLeft(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [minutes > 0 && count(minutes, 'minute'), (rest > 0 || minutes === 0) && count(rest, 'second')];
  return `${parts.filter(Boolean).join(' ')} left`;
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}

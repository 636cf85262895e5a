import type { EndCause } from '../../sessionClock/RunningClock.js';
import { failureKind, getErrorStatus, type FailureKind } from './failureKind.js';
import type { WidgetLabels } from './WidgetLabels.js';

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

import { describeError } from './describeError.js';

/** Every word that a widget says by itself. Counts are plain numbers: the English words write them in the reader's locale. */
export interface WidgetLabels {
  readonly loading: string;
  /** While newer rows are on their way, beside the old ones. */
  readonly updating: string;
  readonly empty: string;
  readonly retry: string;
  readonly retrying: string;
  readonly notFound: string;
  readonly removed: string;
  /** The question before a deletion; the name as `getItemLabel` returns it. */
  readonly confirmDelete: (name: string | undefined) => string;
  /** The answers to that question. */
  readonly delete: string;
  readonly cancel: string;
  /** What stands in the place of a record whose deletion can be undone. */
  readonly deleted: (name: string | undefined) => string;
  readonly undo: string;
  readonly create: string;
  readonly save: string;
  readonly saving: string;
  readonly loadMore: string;
  readonly loadingMore: string;
  readonly signIn: string;
  readonly signingIn: string;
  readonly username: string;
  readonly password: string;
  /** The button beside a password, pressed while it can be read. */
  readonly showPassword: string;
  readonly wrongLogin: string;
  readonly sessionExpired: string;
  /** Above the login form, when it could not be checked who is signed in. A button beside it says `retry`. */
  readonly notRestored: string;
  /** Above the login form, when the server has not confirmed the sign-out. A button beside it says `retry`. */
  readonly logoutUnconfirmed: string;
  /** What a reader is told when a page has arrived. */
  readonly loaded: (more: number, total: number) => string;
  /** What stands at the end of a list that has been loaded to its end. */
  readonly allLoaded: (total: number) => string;
  /** A failure, in words for the person at the screen. */
  readonly failure: (error: Error) => string;
}

const ENGLISH: WidgetLabels = {
  loading: 'Loading…',
  updating: 'Updating…',
  empty: 'Nothing here yet.',
  retry: 'Try again',
  retrying: 'Trying again…',
  notFound: 'This does not exist, or not any more.',
  removed: 'Deleted.',
  confirmDelete: name => (name === undefined ? 'Delete this?' : `Delete “${name}”?`),
  delete: 'Delete',
  cancel: 'Cancel',
  deleted: name => (name === undefined ? 'Deleted.' : `“${name}” is deleted.`),
  undo: 'Undo',
  create: 'Create',
  save: 'Save',
  saving: 'Saving…',
  loadMore: 'Load more',
  loadingMore: 'Loading more…',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  username: 'User name',
  password: 'Password',
  showPassword: 'Show password',
  wrongLogin: 'The user name or the password is wrong.',
  sessionExpired: 'Your session has ended. Sign in to go on.',
  notRestored: 'It could not be checked whether you are signed in. Check the connection and try again, or sign in.',
  logoutUnconfirmed: 'You are signed out on this page, but the server did not confirm it. Your session may still be open there. Check the connection and try again.',
  loaded: (more, total) => `${more.toLocaleString()} more loaded, ${total.toLocaleString()} in all.`,
  allLoaded: total => `All ${total.toLocaleString()} loaded.`,
  failure: describeError,
};

/** The words: those that were given last, English for the rest. */
export function mergeLabels(...given: readonly (Partial<WidgetLabels> | undefined)[]): WidgetLabels {
  return Object.assign({}, ENGLISH, ...given) as WidgetLabels;
}

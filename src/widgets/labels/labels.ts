import { describeError } from './describeError.js';
import type { WidgetLabels } from './WidgetLabels.js';

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
export function labelsWith(...given: readonly (Partial<WidgetLabels> | undefined)[]): WidgetLabels {
  return Object.assign({}, ENGLISH, ...given) as WidgetLabels;
}

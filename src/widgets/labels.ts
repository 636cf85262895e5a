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
  create: 'Create',
  save: 'Save',
  saving: 'Saving…',
  loadMore: 'Load more',
  loadingMore: 'Loading more…',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  username: 'User name',
  password: 'Password',
  wrongLogin: 'The user name or the password is wrong.',
  sessionExpired: 'Your session has ended. Sign in to go on.',
  loaded: (more, total) => `${more.toLocaleString()} more loaded, ${total.toLocaleString()} in all.`,
  allLoaded: total => `All ${total.toLocaleString()} loaded.`,
  failure: describeError,
};

/** The widget's words: those that were given, English for the rest. */
export function labelsWith(given: Partial<WidgetLabels> | undefined): WidgetLabels {
  return given ? { ...ENGLISH, ...given } : ENGLISH;
}

import { failureKind, getErrorStatus, type FailureKind } from './failureKind.js';

const TEXT_BY_KIND: Readonly<Record<Exclude<FailureKind, 'refused' | 'app'>, string>> = {
  offline: 'The server could not be reached. Check the connection.',
  'signed-out': 'Sign in to continue.',
  forbidden: 'You are not allowed to do this.',
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

import { NotAListError } from '../../errors.js';

const TEXT_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Sign in to continue.',
  403: 'You are not allowed to do this.',
  404: 'This does not exist, or it was deleted.',
  409: 'Another user has changed this. Load it again and repeat your change.',
  422: 'The server did not accept this. Check what you entered.',
  429: 'Too many requests. Try again in a while.',
};

/**
 * The English text for an error, for the user of the app. An error of the kit is shown with its own message, but for a `NotAListError`.
 *
 * A TypeError with a `status` comes from fetch, and data-client has added the status. A TypeError without one is a bug.
 */
export function describeError(error: Error): string {
  const status = getErrorStatus(error) ?? 0;
  if (error instanceof TypeError && status > 0) return 'The server could not be reached. Check the connection.';
  // Its message is for developers, and is in the console.
  if (error instanceof NotAListError) return 'The server sent something that this page cannot show.';
  if (error.name !== 'NetworkError') return error.message;
  return (
    TEXT_BY_STATUS[status] ??
    (status >= 500 ? 'The server has a problem. Try again in a while.' : `The server refused this (${status}).`)
  );
}

/** The HTTP status of an error; undefined when the error is not about a request. */
export function getErrorStatus(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

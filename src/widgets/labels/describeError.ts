
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Sign in to go on.',
  403: 'You are not allowed to do this.',
  404: 'This does not exist, or not any more.',
  409: 'Somebody else has changed this meanwhile.',
  422: 'The server did not accept this. Check what you entered.',
  429: 'The server asks for a pause. Try again in a while.',
};

/**
 * What happened, in words for the person at the screen; errors of the kit speak for themselves.
 *
 * A TypeError with a `status` is fetch's own, to which data-client adds it; any other is an error of the program.
 */
export function describeError(error: Error): string {
  const status = getErrorStatus(error) ?? 0;
  if (error instanceof TypeError && status > 0) return 'The server could not be reached. Check the connection.';
  if (error.name !== 'NetworkError') return error.message;
  return BY_STATUS[status] ?? (status >= 500 ? 'The server has a problem. Try again in a while.' : `The server refused this (${status}).`);
}

/** The HTTP status that an error stands for; undefined for an error of the program. */
export function getErrorStatus(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

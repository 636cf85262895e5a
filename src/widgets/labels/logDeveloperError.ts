import { NotAListError } from '../../errors.js';
import { failureKind } from './failureKind.js';

const logged = new WeakSet<Error>();

/**
 * Writes the text of an error that is meant for developers to the console, once for each error. Answers of the server
 * are not written: the browser's own console and network panel show them.
 *
 * Writes the text only: other properties of an error, such as a response, could contain credentials.
 */
export function logDeveloperError(error: Error): void {
  const found = findDeveloperError(error);
  if (!found || logged.has(found)) return;
  logged.add(found);
  console.error(`data-client-auth: ${found.name}: ${found.message}`);
}

/** The error itself or the first of its causes that tells a developer something. */
function findDeveloperError(error: unknown): Error | undefined {
  // The endpoint has written a NotAListError, for apps without widgets too.
  if (!(error instanceof Error) || error instanceof NotAListError) return undefined;
  return ['unexpected', 'unreadable'].includes(failureKind(error)) ? error : findDeveloperError(error.cause);
}

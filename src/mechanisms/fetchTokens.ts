import { InvalidCredentialError } from '../errors.js';
import { isNoJson } from '../session/isTransportError.js';
import { withAddressWarning } from './refusals.js';

const NO_JSON =
  'The server did not answer with JSON. An object with the string `accessToken` was expected. Return JSON, or parse the text in your `login`, `refresh` or `restore` function; if the server sent a page, check the address.';

/**
 * Calls a function that returns tokens. The error for an unreadable response does not quote it, because it may be a
 * token.
 */
export async function fetchTokens<T>(name: 'login' | 'refresh' | 'restore', call: () => Promise<T>): Promise<T> {
  try {
    return await withAddressWarning(name, call());
  } catch (error) {
    throw isNoJson(error) ? new InvalidCredentialError(NO_JSON) : error;
  }
}

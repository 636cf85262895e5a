import type { StepUpOptions } from './challenge.js';
import type { AuthChallenge } from '../session/mechanism.js';
import { parseWwwAuthenticate, type ParsedChallenge } from './wwwAuthenticate.js';

/**
 * Returns the challenge of a refused response; undefined if it is none. Leaves the body of the response unread. An app's function that does
 * not settle in time, perhaps because the body never ends, leaves it to the default.
 */
export async function readChallenge(
  response: Response,
  { readChallenge: read }: Pick<StepUpOptions, 'readChallenge'>,
  withDeadline: <T>(promise: Promise<T>) => Promise<T>,
): Promise<AuthChallenge | undefined> {
  const parsed = parseWwwAuthenticate(response.headers.get('WWW-Authenticate'));
  const callApp = async () => read?.(response.bodyUsed ? response : response.clone(), parsed);
  const own = read && (await withDeadline(callApp()).catch(ignoreTimeout));
  return own === undefined ? readByDefault(response.status, parsed) : (own ?? undefined);
}

function ignoreTimeout(error: unknown): undefined {
  if ((error as { name?: unknown } | undefined)?.name !== 'TimeoutError') throw error;
}

function readByDefault(status: number, parsed: readonly ParsedChallenge[]): AuthChallenge | undefined {
  for (const { params } of parsed) {
    const { error: kind, acr_values: acrValues, max_age: maxAge, scope } = params;
    if (status === 401 && kind === 'insufficient_user_authentication')
      return { kind, acrValues: acrValues?.split(' ').filter(Boolean), maxAge: toSeconds(maxAge) };
    if (status === 403 && kind === 'insufficient_scope') return { kind, scope };
  }
  return undefined;
}

function toSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns true if both ask for the same, so that one dialog serves both. Their `details` may differ: a server may put a new
 * nonce into each refusal.
 */
export function isSameChallenge(a: AuthChallenge, b: AuthChallenge): boolean {
  const keyOf = ({ kind, acrValues, maxAge, scope }: AuthChallenge) => JSON.stringify([kind, acrValues, maxAge, scope]);
  return keyOf(a) === keyOf(b);
}

/** Returns true if a refusal repeats the challenge that was answered, `details` included: the answer was not enough. */
export function isRepeated(answered: AuthChallenge, refusal: AuthChallenge): boolean {
  return isSameChallenge(answered, refusal) && toJson(answered.details) === toJson(refusal.details);
}

/** Details that JSON cannot say, such as circular ones, count as the same: nothing is asked twice for them. */
function toJson(details: unknown): string | undefined {
  try {
    return JSON.stringify(details);
  } catch {
    return undefined;
  }
}

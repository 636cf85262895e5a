import type { AuthChallenge } from './challenge.js';
import type { StepUpOptions } from './stepUp.js';
import { parseWwwAuthenticate, type ParsedChallenge } from './wwwAuthenticate.js';

/** Returns the challenge of a refused response; undefined if it is none. Leaves the body of the response unread. */
export async function readChallenge(
  response: Response,
  { readChallenge: read }: Pick<StepUpOptions, 'readChallenge'>,
): Promise<AuthChallenge | undefined> {
  const parsed = parseWwwAuthenticate(response.headers.get('WWW-Authenticate'));
  const own = read && (await read(response.bodyUsed ? response : response.clone(), parsed));
  return own === undefined ? readByDefault(response.status, parsed) : (own ?? undefined);
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

/** Returns true if one answer serves both. */
export function isSameChallenge(a: AuthChallenge, b: AuthChallenge): boolean {
  const keyOf = ({ kind, acrValues, maxAge, scope }: AuthChallenge) => JSON.stringify([kind, acrValues, maxAge, scope]);
  return keyOf(a) === keyOf(b);
}

import { systemClock, withTimeout } from '../../clock.js';

/** Statuses by which servers refuse what somebody has entered. */
const REFUSALS = [400, 409, 422];

/** How long a form waits for the words of a refusal, whose status it knows already. */
const WORDS_TIMEOUT_MS = 2_000;

/** The JSON with which a server has refused what was entered; undefined for any other failure, for an answer that is no JSON, or none in 2 s. */
export async function refusalOf(error: unknown, clock = systemClock): Promise<unknown> {
  const { response } = (error ?? {}) as { response?: Response };
  if (!response || !REFUSALS.includes(response.status)) return undefined;
  try {
    return await withTimeout<unknown>(clock, WORDS_TIMEOUT_MS, response.clone().json(), () => new Error('The words of the refusal took too long.'));
  } catch {
    return undefined;
  }
}

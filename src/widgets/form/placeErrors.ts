import { systemClock, withTimeout } from '../../clock.js';
import type { FieldErrors } from './fieldErrors.js';
import { fieldAt, type FormField } from './FormField.js';

/** The errors of a refusal, where a form can show them. */
export interface PlacedErrors {
  readonly atFields: ReadonlyMap<string, string>;
  /** What belongs to no field of the form. */
  readonly elsewhere: readonly string[];
}

export const NO_ERRORS: PlacedErrors = { atFields: new Map(), elsewhere: [] };

/** More texts in one place than anybody reads. */
const MOST = 20;
/** What a server may tell by mistake, and a form never shows; a field of the form with such a name has its errors all the same. */
const IS_SECRET = /token|password|secret|stack|trace/i;

/** Puts each error at its field, the first of them where there are very many. */
export function placeErrors(fields: readonly FormField[], errors: FieldErrors): PlacedErrors {
  const atFields = new Map<string, string[]>();
  const elsewhere: string[] = [];
  for (const [path, texts] of Object.entries(errors)) {
    const field = fieldAt(fields, path);
    if (!field && IS_SECRET.test(path)) continue;
    const there = field ? (atFields.get(field.name) ?? []) : elsewhere;
    if (field) atFields.set(field.name, there);
    const told = texts.slice(0, MOST - there.length);
    there.push(...(field || !path ? told : told.map(text => `${path}: ${text}`)));
  }
  return { atFields: new Map([...atFields].filter(([, texts]) => texts.length > 0).map(([name, texts]) => [name, texts.join(' ')])), elsewhere };
}

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

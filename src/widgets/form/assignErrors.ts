import { systemClock, withTimeout } from '../../clock.js';
import type { FieldErrors } from './fieldErrors.js';
import { findField, type FormField } from './FormField.js';

/** The errors of a refusal, where a form can show them. */
export interface AssignedErrors {
  readonly byField: ReadonlyMap<string, string>;
  /** What belongs to no field of the form. */
  readonly ofForm: readonly string[];
}

export const NO_ERRORS: AssignedErrors = { byField: new Map(), ofForm: [] };

/** More texts in one place than anybody reads. */
const MAX_MESSAGES = 20;
/** What a server may tell by mistake, and a form never shows; a field of the form with such a name has its errors all the same. */
const SECRET_NAME = /token|password|secret|stack|trace/i;

/** Puts each error at its field, the first of them where there are very many. */
export function assignErrors(fields: readonly FormField[], errors: FieldErrors): AssignedErrors {
  const byField = new Map<string, string[]>();
  const ofForm: string[] = [];
  for (const [path, texts] of Object.entries(errors)) {
    const field = findField(fields, path);
    if (!field && SECRET_NAME.test(path)) continue;
    const there = field ? (byField.get(field.name) ?? []) : ofForm;
    if (field) byField.set(field.name, there);
    const told = texts.slice(0, MAX_MESSAGES - there.length);
    there.push(...(field || !path ? told : told.map(text => `${path}: ${text}`)));
  }
  return { byField: new Map([...byField].filter(([, texts]) => texts.length > 0).map(([name, texts]) => [name, texts.join(' ')])), ofForm };
}

/** Statuses by which servers refuse what somebody has entered. */
const VALIDATION_STATUSES = [400, 409, 422];

/** How long a form waits for the words of a refusal, whose status it knows already. */
const BODY_TIMEOUT_MS = 2_000;

/** The JSON with which a server has refused what was entered; undefined for any other failure, for an answer that is no JSON, or none in 2 s. */
export async function readValidationBody(error: unknown, clock = systemClock): Promise<unknown> {
  const { response } = (error ?? {}) as { response?: Response };
  if (!response || !VALIDATION_STATUSES.includes(response.status)) return undefined;
  try {
    return await withTimeout<unknown>(clock, BODY_TIMEOUT_MS, response.clone().json(), () => new Error('The words of the refusal took too long.'));
  } catch {
    return undefined;
  }
}

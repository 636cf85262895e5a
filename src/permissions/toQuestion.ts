import { getPrimaryKey } from '../dataClient/getPrimaryKey.js';
import { isDevelopment } from '../isDevelopment.js';
import { warnOnce } from '../warnOnce.js';
import type { AskedQuestion, PermissionQuestion } from './PermissionAnswers.js';

/** The question as the server gets it. Undefined for a record that has no key yet: it is not saved. */
export function toQuestion({ action, on, field }: AskedQuestion): PermissionQuestion | undefined {
  const subject = on === undefined ? undefined : toSubject(on);
  if (subject === null) return undefined;
  return { action, ...(subject && { on: subject }), ...(field !== undefined && { field }) };
}

/** @throws TypeError when the subject has no type. */
function toSubject(on: object | string): { readonly type: string; readonly id?: string } | null {
  if (typeof on === 'string') return { type: on };
  // An entity has its type in its class.
  if (typeof on === 'function') return { type: typeOf(on) };
  if (typeof (on as { pk?: unknown }).pk === 'function') {
    const id = getPrimaryKey(on);
    return id === undefined ? null : { type: typeOf(on.constructor), id };
  }
  const { type, id } = on as { readonly type?: unknown; readonly id?: string | number };
  if (typeof type !== 'string') throw new TypeError(NO_TYPE);
  return id === undefined ? { type } : { type, id: String(id) };
}

function typeOf(entity: object): string {
  const { key } = entity as { key?: unknown };
  if (typeof key !== 'string') throw new TypeError(NO_TYPE);
  if (isDevelopment && !Object.hasOwn(entity, 'key')) warnOnce(unstableType(key));
  return key;
}

const unstableType = (name: string) =>
  `A permission is asked about ${name}, whose name a production build may shorten, so the server would not know it. Add \`static key = '${name}'\` to the class.`;

const NO_TYPE =
  "A permission is asked about something without a type. Pass an entity, its class, or { type: 'Article', id: '5' } as `on`.";

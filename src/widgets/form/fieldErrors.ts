import { systemClock } from '../../clock.js';
import { describeCode } from '../labels/englishLabels.js';
import { readJsonBody } from '../labels/failureKind.js';
import { entriesOf } from './fieldValues.js';
import { findField, type FormField, type FormValues } from './FormField.js';

/**
 * The messages of a server about the fields of a form, by the path of the field (`author.name`). The key `''` holds
 * messages about no field.
 */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Reads field errors from the JSON body of a rejected form (400, 409, 422). Never throws. It knows the common shapes,
 * and ignores other parts of the body:
 * - `{ errors: { title: ['…'] } }`
 * - `{ title: ['…'], non_field_errors: ['…'] }`
 * - `{ errors: [{ pointer | field | path | source, detail | message | msg }] }`
 * - `{ issues }` and `{ error: { issues } }` with the same items
 * - `{ detail: [{ loc, msg }] }`
 * - `{ errors: [{ field, code }] }`, where each code becomes an English sentence
 *
 * @example
 * fieldErrors({ errors: { title: ['is too short'] } }); // { title: ['is too short'] }
 * @see https://laravel.com/docs/validation#validation-error-response-format
 * @see https://api.rubyonrails.org/classes/ActiveModel/Errors.html
 * @see https://www.django-rest-framework.org/api-guide/exceptions/
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3
 * @see https://jsonapi.org/format/#error-objects
 * @see https://fastapi.tiangolo.com/tutorial/handling-errors/
 * @see https://zod.dev/error-formatting
 * @see https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed
 */
export function fieldErrors(body: unknown): FieldErrors {
  return readErrors(body, () => true);
}

/** Keys for messages about no field: Django, Rails, Phoenix, NestJS. */
const NON_FIELD_KEYS = new Set(['non_field_errors', 'nonFieldErrors', '__all__', 'base', 'detail', 'message']);
/** The part of a pointer before the field: `#/title`, `$.title`, `/data/attributes/title`. */
const POINTER_PREFIX = /^(?:[#$]\.)?(?:data\.(?:attributes|relationships)\.)?/;
/** The possible first segments of FastAPI's `loc`. */
const REQUEST_PARTS = ['body', 'query', 'path', 'header', 'cookie'];
/** Deeper than any form. A body may be nested without end. */
const MAX_DEPTH = 8;

type JsonObject = Readonly<Record<string, unknown>>;

interface Message {
  readonly path: string;
  readonly text: string;
  /** True for a string that is not in a list. It may be no message at all, but a code or a stack trace. */
  readonly isBareString?: boolean;
  /** True for a code without a message: GitHub's `already_exists`. */
  readonly isCode?: boolean;
}

/** Like `fieldErrors`, but accepts a bare string only where `isField` knows its path. `toText` gives the text for a code. */
export function readErrors(body: unknown, isField: (path: string) => boolean, toText = describeCode): FieldErrors {
  const errors = new Map<string, string[]>();
  for (const { path, text: textOrCode, isBareString, isCode } of collectMessages(body)) {
    const field = NON_FIELD_KEYS.has(path) ? '' : path;
    if (field !== '' && isBareString && !isField(field)) continue;
    const text = isCode ? toText(textOrCode) : textOrCode;
    const texts = errors.get(field);
    if (texts) texts.push(text);
    else errors.set(field, [text]);
  }
  return Object.fromEntries(errors);
}

/** The messages of the first known property that has any, else of the whole body. */
function collectMessages(body: unknown): readonly Message[] {
  const { errors, issues, error, detail } = isJsonObject(body) ? body : {};
  for (const value of [errors, issues, isJsonObject(error) ? error.issues : undefined, detail]) {
    const messages = messagesIn(value, '', true);
    if (messages.length > 0) return messages;
  }
  return messagesIn(body, '', false);
}

/** All messages in the value. Strings outside of lists count only with `takesBareString`. */
function messagesIn(value: unknown, path: string, takesBareString: boolean, depth = 0): readonly Message[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === 'string')
    return takesBareString && value.trim() !== '' ? [{ path, text: value, isBareString: true }] : [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => messagesInItem(item, path, index, depth + 1));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    messagesIn(inner, join(path, toPath(name)), takesBareString, depth + 1),
  );
}

/**
 * An item of a list is a text, an object with a text and a path, or the errors of one entry of a field: an object, or a list. Django REST
 * framework writes these at the index of the entry: `{ tags: [{}, { label: ['…'] }] }`.
 */
function messagesInItem(item: unknown, path: string, index: number, depth: number): readonly Message[] {
  if (typeof item === 'string') return item.trim() !== '' ? [{ path, text: item }] : [];
  const pathOfEntry = path && join(path, String(index));
  if (!isJsonObject(item)) return messagesIn(item, pathOfEntry, false, depth);
  const text = textOf(item);
  if (text !== undefined) return [{ path: join(path, pathOfItem(item)), text }];
  const { field, code } = item;
  if (typeof field === 'string' && typeof code === 'string')
    return [{ path: join(path, toPath(field)), text: code, isCode: true }];
  return messagesIn(item, pathOfEntry, false, depth);
}

function textOf({ detail, message, msg, defaultMessage, title }: JsonObject): string | undefined {
  return [detail, message, msg, defaultMessage, title].find(text => typeof text === 'string' && text.trim() !== '') as
    string | undefined;
}

function pathOfItem({ pointer, source, loc, field, path, param, property, attribute, name }: JsonObject): string {
  if (Array.isArray(loc)) return toPath(REQUEST_PARTS.includes(loc[0] as string) ? loc.slice(1) : loc);
  const candidates = [
    pointer,
    isJsonObject(source) ? source.pointer : undefined,
    field,
    path,
    param,
    property,
    attribute,
    name,
  ];
  return toPath(candidates.find(candidate => typeof candidate === 'string' || Array.isArray(candidate)));
}

/** `#/data/attributes/title`, `['title']` and `tags[0].name` become `title`, `title` and `tags.0.name`. */
function toPath(path: unknown): string {
  const segments = [path].flat().filter(segment => typeof segment === 'string' || typeof segment === 'number');
  return segments
    .join('.')
    .split(/[/.[\]]+/)
    .filter(Boolean)
    .join('.')
    .replace(POINTER_PREFIX, '');
}

function join(path: string, name: string): string {
  return path && name ? `${path}.${name}` : path || name;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The errors of a rejected form, as the form shows them. */
export interface AssignedErrors {
  readonly byField: ReadonlyMap<string, string>;
  /** Messages that belong to no field of the form. */
  readonly ofForm: readonly string[];
}

export const NO_ERRORS: AssignedErrors = { byField: new Map(), ofForm: [] };

/** At most this many messages are shown for each field and for the form. */
const MAX_MESSAGES = 20;
/** A server may send such values by mistake. They are shown only if the form has a field with that name. */
const SECRET_NAME = /token|password|secret|stack|trace/i;

/**
 * Assigns each message to its field, or to the form. A message about one entry of a list (`tags.0`) says which.
 *
 * @param values The values that were sent.
 */
export function assignErrors(
  fields: readonly FormField[],
  errors: FieldErrors,
  values: FormValues = {},
): AssignedErrors {
  const byField = new Map<string, string[]>();
  const ofForm: string[] = [];
  for (const [path, messages] of Object.entries(errors)) {
    const field = findField(fields, path);
    if (!field && SECRET_NAME.test(path)) continue;
    const target = field ? (byField.get(field.name) ?? []) : ofForm;
    if (field) byField.set(field.name, target);
    const shown = messages.slice(0, MAX_MESSAGES - target.length);
    const about = field ? findEntry(field, values, path) : path;
    target.push(...(about ? shown.map(message => `${about}: ${message}`) : shown));
  }
  return {
    byField: new Map(
      [...byField].filter(([, messages]) => messages.length > 0).map(([name, messages]) => [name, messages.join(' ')]),
    ),
    ofForm,
  };
}

/** The entry of a list that a path names. Undefined for a path of the whole field, and for an entry that was not sent. */
function findEntry(field: FormField, values: FormValues, path: string): string | undefined {
  const index = /^\.(\d+)/.exec(path.slice(field.name.length))?.[1];
  return index === undefined ? undefined : entriesOf(field, values[field.name])[Number(index)];
}

/** Statuses with which servers reject the values of a form. */
const VALIDATION_STATUSES = [400, 409, 422];

/** The JSON with which a server rejected a form. Undefined for another status, for a body that is not JSON, and after 2 s. */
export async function readValidationBody(error: unknown, clock = systemClock): Promise<unknown> {
  const { response } = (error ?? {}) as { response?: Response };
  if (!response || !VALIDATION_STATUSES.includes(response.status)) return undefined;
  return readJsonBody(response, clock);
}

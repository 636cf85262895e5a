import { systemClock } from '../../clock.js';
import { isObject } from '../../isObject.js';
import { describeCode } from '../labels/englishLabels.js';
import { readJsonBody } from '../labels/failureKind.js';

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
 * - `{ errors: { title: { message, kind } } }`, `{ violations: [{ propertyPath, message }] }`, `{ details: [{ path, message }] }`,
 *   `{ error: { details } }`, the errors of AJV and class-validator, and Zod's other formats
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
const NON_FIELD_KEYS = new Set([
  'non_field_errors',
  'nonFieldErrors',
  '__all__',
  'base',
  'detail',
  'message',
  'formErrors',
]);
/** Keys around the errors of fields, in Zod's formats. */
const CONTAINER_KEYS = new Set(['fieldErrors', '_errors']);
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
  if (isTree(body)) return messagesIn(body, '', true);
  const { errors, issues, violations, details, error, message, detail } = isObject(body) ? body : {};
  const inner = isObject(error) ? error : {};
  const known = [
    errors,
    issues,
    violations,
    listOf(details),
    inner.issues,
    isObject(inner.details) ? inner.details.errors : listOf(inner.details).flatMap(violationsOf),
    'fieldErrors' in inner ? inner : undefined,
    listOf(message),
    detail,
  ];
  for (const value of known) {
    const messages = messagesIn(value, '', true);
    if (messages.length > 0) return messages;
  }
  return messagesIn(body, '', false);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The errors of fields in a detail of Google's APIs. */
function violationsOf(detail: unknown): readonly unknown[] {
  return isObject(detail) ? listOf(detail.fieldViolations) : [];
}

/** A level of Zod's tree: its own texts in `errors`, fields in `properties`, entries in `items`. */
function isTree(value: unknown): boolean {
  return (
    isObject(value) &&
    listOf(value.errors) === value.errors &&
    Object.keys(value).every(name => ['errors', 'properties', 'items'].includes(name))
  );
}

/** All messages in the value. Strings outside of lists count only with `takesBareString`. */
function messagesIn(value: unknown, path: string, takesBareString: boolean, depth = 0): readonly Message[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === 'string')
    return takesBareString && value.trim() !== '' ? [{ path, text: value, isBareString: true }] : [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => messagesInItem(item, path, index, depth + 1));
  if (!isObject(value)) return [];
  if (isTree(value))
    return ['errors', 'properties', 'items'].flatMap(name => messagesIn(value[name], path, takesBareString, depth + 1));
  // Mongoose: the error of a field is an object, with its message and what it is about.
  if (path !== '' && typeof value.message === 'string' && typeof value.kind === 'string')
    return [{ path, text: value.message }];
  return Object.entries(value).flatMap(([name, inner]) =>
    messagesIn(inner, join(path, CONTAINER_KEYS.has(name) ? '' : toPath(name)), takesBareString, depth + 1),
  );
}

/**
 * An item of a list is a text, an object with a text and a path, or the errors of one entry of a field: an object, or a list. Django REST
 * framework writes these at the index of the entry: `{ tags: [{}, { label: ['…'] }] }`.
 */
function messagesInItem(item: unknown, path: string, index: number, depth: number): readonly Message[] {
  if (typeof item === 'string') return item.trim() !== '' ? [{ path, text: item }] : [];
  const pathOfEntry = path && join(path, String(index));
  if (!isObject(item) || isTree(item)) return messagesIn(item, pathOfEntry, false, depth);
  const { property, constraints, children } = item;
  if (typeof property === 'string' && (constraints || children)) {
    const own = join(path, toPath(property));
    const texts = Object.values(isObject(constraints) ? constraints : {});
    return [...messagesIn(texts, own, false, depth), ...messagesIn(listOf(children), own, false, depth)];
  }
  const text = textOf(item);
  if (text !== undefined) return [{ path: join(path, pathOfItem(item)), text }];
  const { field, code } = item;
  if (typeof field === 'string' && typeof code === 'string')
    return [{ path: join(path, toPath(field)), text: code, isCode: true }];
  return messagesIn(item, pathOfEntry, false, depth);
}

function textOf({ detail, message, msg, defaultMessage, title, description }: JsonObject): string | undefined {
  return [detail, message, msg, defaultMessage, title, description].find(
    text => typeof text === 'string' && text.trim() !== '',
  ) as string | undefined;
}

function pathOfItem(item: JsonObject): string {
  const { pointer, source, loc, field, path, param, property, propertyPath, attribute, name } = item;
  const { instancePath, params } = item;
  if (typeof instancePath === 'string') return toPath([instancePath, isObject(params) && params.missingProperty]);
  if (Array.isArray(loc)) return toPath(REQUEST_PARTS.includes(loc[0] as string) ? loc.slice(1) : loc);
  const candidates = [
    pointer,
    isObject(source) ? source.pointer : undefined,
    field,
    path,
    param,
    property,
    propertyPath,
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

/** Statuses with which servers reject the values of a form. */
const VALIDATION_STATUSES = [400, 409, 422];

/** The JSON with which a server rejected a form. Undefined for another status, for a body that is not JSON, and after 2 s. */
export async function readValidationBody(error: unknown, clock = systemClock): Promise<unknown> {
  const { response } = (error ?? {}) as { response?: Response };
  if (!response || !VALIDATION_STATUSES.includes(response.status)) return undefined;
  return readJsonBody(response, clock);
}

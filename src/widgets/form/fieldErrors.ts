/**
 * Reads the errors of fields out of the JSON of a refusal (400, 422), in the shapes that are common: `{ errors: { title: ['…'] } }`,
 * `{ title: ['…'], non_field_errors: ['…'] }`, `{ errors: [{ pointer | field | path | source, detail | message | msg }] }`, `{ issues }`
 * and `{ error: { issues } }` in the same form, and `{ detail: [{ loc, msg }] }`. Never throws; what it does not know, it leaves out.
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
 */
export function fieldErrors(answer: unknown): FieldErrors {
  return readErrors(answer, () => true);
}

/** What a server says of the fields that it did not accept: texts by the path of the field (`author.name`), by '' what is of no field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Names under which servers put what is of no field: Django, Rails, Phoenix, NestJS. */
const NON_FIELD_KEYS = new Set(['non_field_errors', 'nonFieldErrors', '__all__', 'base', 'detail', 'message']);
/** What stands before the field in a pointer: `#/title`, `$.title`, `/data/attributes/title`. */
const POINTER_PREFIX = /^(?:[#$]\.)?(?:data\.(?:attributes|relationships)\.)?/;
/** Where FastAPI's `loc` begins. */
const REQUEST_PARTS = ['body', 'query', 'path', 'header', 'cookie'];
/** Deeper than any form; an answer may be nested without end. */
const MAX_DEPTH = 8;

type JsonObject = Readonly<Record<string, unknown>>;

interface Message {
  readonly path: string;
  readonly text: string;
  /** True when it stands in no list: it may be anything then, a code or a stack. */
  readonly isBareString: boolean;
}

/** Reads the errors of fields out of the JSON of a refusal; a text that stands alone under a name only where `isField` knows the name. */
export function readErrors(answer: unknown, isField: (path: string) => boolean): FieldErrors {
  const found = new Map<string, string[]>();
  for (const { path, text, isBareString } of collectMessages(answer)) {
    const field = NON_FIELD_KEYS.has(path) ? '' : path;
    if (field !== '' && isBareString && !isField(field)) continue;
    const texts = found.get(field);
    if (texts) texts.push(text);
    else found.set(field, [text]);
  }
  return Object.fromEntries(found);
}

/** From the first place that holds any. */
function collectMessages(answer: unknown): readonly Message[] {
  const { errors, issues, error, detail } = isJsonObject(answer) ? answer : {};
  for (const named of [errors, issues, isJsonObject(error) ? error.issues : undefined, detail]) {
    const told = messagesIn(named, '', true);
    if (told.length > 0) return told;
  }
  return messagesIn(answer, '', false);
}

/** Each text, and the path of what it is about; without `alone`, those in lists. */
function messagesIn(value: unknown, path: string, takesBareString: boolean, depth = 0): readonly Message[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === 'string') return takesBareString && value.trim() !== '' ? [{ path, text: value, isBareString: true }] : [];
  if (Array.isArray(value)) return value.flatMap((inner: unknown) => messagesInItem(inner, path, depth + 1));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => messagesIn(inner, join(path, toPath(name)), takesBareString, depth + 1));
}

/** What stands in a list: a text, a text with its place, or errors of fields again. */
function messagesInItem(value: unknown, path: string, depth: number): readonly Message[] {
  if (typeof value === 'string') return value.trim() !== '' ? [{ path, text: value, isBareString: false }] : [];
  const text = isJsonObject(value) ? textOf(value) : undefined;
  if (text !== undefined) return [{ path: join(path, pathOfItem(value as JsonObject)), text, isBareString: false }];
  return messagesIn(value, path, false, depth);
}

function textOf({ detail, message, msg, defaultMessage, title }: JsonObject): string | undefined {
  return [detail, message, msg, defaultMessage, title].find(text => typeof text === 'string' && text.trim() !== '') as string | undefined;
}

function pathOfItem({ pointer, source, loc, field, path, param, property, attribute, name }: JsonObject): string {
  if (Array.isArray(loc)) return toPath(REQUEST_PARTS.includes(loc[0] as string) ? loc.slice(1) : loc);
  const indexes = [pointer, isJsonObject(source) ? source.pointer : undefined, field, path, param, property, attribute, name];
  return toPath(indexes.find(index => typeof index === 'string' || Array.isArray(index)));
}

/** `#/data/attributes/title`, `['title']`, `tags[0].name`: as `title`, `title`, `tags.0.name`. */
function toPath(index: unknown): string {
  const segments = [index].flat().filter(segment => typeof segment === 'string' || typeof segment === 'number');
  return segments.join('.').split(/[/.[\]]+/).filter(Boolean).join('.').replace(POINTER_PREFIX, '');
}

function join(path: string, name: string): string {
  return path && name ? `${path}.${name}` : path || name;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
const OF_NO_FIELD = new Set(['non_field_errors', 'nonFieldErrors', '__all__', 'base', 'detail', 'message']);
/** What stands before the field in a pointer: `#/title`, `$.title`, `/data/attributes/title`. */
const POINTS_INTO = /^(?:[#$]\.)?(?:data\.(?:attributes|relationships)\.)?/;
/** Where FastAPI's `loc` begins. */
const PARTS_OF_A_REQUEST = ['body', 'query', 'path', 'header', 'cookie'];
/** Deeper than any form; an answer may be nested without end. */
const DEEPEST = 8;

type Entry = Readonly<Record<string, unknown>>;

interface Told {
  readonly path: string;
  readonly text: string;
  /** True when it stands in no list: it may be anything then, a code or a stack. */
  readonly isAlone: boolean;
}

/** Reads the errors of fields out of the JSON of a refusal; a text that stands alone under a name only where `isField` knows the name. */
export function readErrors(answer: unknown, isField: (path: string) => boolean): FieldErrors {
  const found = new Map<string, string[]>();
  for (const { path, text, isAlone } of tellings(answer)) {
    const field = OF_NO_FIELD.has(path) ? '' : path;
    if (field !== '' && isAlone && !isField(field)) continue;
    const texts = found.get(field);
    if (texts) texts.push(text);
    else found.set(field, [text]);
  }
  return Object.fromEntries(found);
}

/** From the first place that holds any. */
function tellings(answer: unknown): readonly Told[] {
  const { errors, issues, error, detail } = isEntry(answer) ? answer : {};
  for (const named of [errors, issues, isEntry(error) ? error.issues : undefined, detail]) {
    const told = textsIn(named, '', true);
    if (told.length > 0) return told;
  }
  return textsIn(answer, '', false);
}

/** Each text, and the path of what it is about; without `alone`, those in lists. */
function textsIn(value: unknown, path: string, alone: boolean, depth = 0): readonly Told[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') return alone && value.trim() !== '' ? [{ path, text: value, isAlone: true }] : [];
  if (Array.isArray(value)) return value.flatMap((inner: unknown) => textsInListed(inner, path, depth + 1));
  if (!isEntry(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, join(path, pathOf(name)), alone, depth + 1));
}

/** What stands in a list: a text, a text with its place, or errors of fields again. */
function textsInListed(value: unknown, path: string, depth: number): readonly Told[] {
  if (typeof value === 'string') return value.trim() !== '' ? [{ path, text: value, isAlone: false }] : [];
  const text = isEntry(value) ? textOf(value) : undefined;
  if (text !== undefined) return [{ path: join(path, placeOf(value as Entry)), text, isAlone: false }];
  return textsIn(value, path, false, depth);
}

function textOf({ detail, message, msg, defaultMessage, title }: Entry): string | undefined {
  return [detail, message, msg, defaultMessage, title].find(text => typeof text === 'string' && text.trim() !== '') as string | undefined;
}

function placeOf({ pointer, source, loc, field, path, param, property, attribute, name }: Entry): string {
  if (Array.isArray(loc)) return pathOf(PARTS_OF_A_REQUEST.includes(loc[0] as string) ? loc.slice(1) : loc);
  const places = [pointer, isEntry(source) ? source.pointer : undefined, field, path, param, property, attribute, name];
  return pathOf(places.find(place => typeof place === 'string' || Array.isArray(place)));
}

/** `#/data/attributes/title`, `['title']`, `tags[0].name`: as `title`, `title`, `tags.0.name`. */
function pathOf(place: unknown): string {
  const segments = [place].flat().filter(segment => typeof segment === 'string' || typeof segment === 'number');
  return segments.join('.').split(/[/.[\]]+/).filter(Boolean).join('.').replace(POINTS_INTO, '');
}

function join(path: string, name: string): string {
  return path && name ? `${path}.${name}` : path || name;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { systemClock } from '../../clock.js';
import { isObject } from '../../isObject.js';
import { describeCode } from '../labels/englishLabels.js';
import { parsedText, readJsonBody } from '../labels/failureKind.js';
import { entriesOf } from './fieldValues.js';
import type { FormField, FormValues } from './FormField.js';

/**
 * The messages of a server about the fields of a form, by the path of the field (`author.name`). The key `''` holds
 * messages about no field.
 */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

const MAX_VALUES = 10_000;
const MAX_DEPTH = 12;
/** Keys above messages. */
const ERROR_KEY = /error|issue|valid|violation|problem|detail|message|fail|reason/i;
/** Keys above names of fields. The object has no message of its own there: `{ errors: { title: '…' } }`. */
const MAP_KEY = /(?:error|issue|violation|problem|detail|message|field|attribute)s$/i;
/** Segments before the name of a field: `#/data/attributes/title`, `body.payload.title`. */
const PREFIX = /^(?:[#$]|\d+|data|attributes|relationships|body|json|form|properties|children|fields|extensions)$/i;
/** A key for messages about what is above it. */
const NO_NAME = /^(?:_.+|(?:non_?field_?|form_?)?errors)$/i;
/** The same, where nothing is above it. */
const NO_FIELD = /^(?:base|data|json|details?|messages?|errors?|problems|reasons)$/i;
const PATHS = 'instancePath pointer loc attr field path param property propertyPath propertyName attribute fields keys';
/** Names of something else, unless they are in a list of errors. */
const WEAK_PATHS = 'parameter target key name location';
/** Stack traces, and types. */
const NOT_READ = /^(?:@|exc|stack|trace)/i;
/** Lists of names and not of messages, where a key is beside them: those of hapi and LoopBack. */
const NAMES_BESIDE: ReadonlyMap<string, string> = new Map([
  ['keys', 'source'],
  ['codes', 'messages'],
]);
const TEXTS = 'detail message msg defaultMessage errorMessage error';
const WEAK_TEXTS = 'title description reason';

interface Message {
  readonly path: string;
  readonly text: string;
  /** 2: a list or map of errors says it. 1: it may be such a list. 0: a summary. The others count only where none is higher. */
  readonly rank: 0 | 1 | 2;
  /** True for a string that is not in a list. It may be no message at all, but a code or a stack trace. */
  readonly isBareString?: boolean;
  /** True for a code without a message: GitHub's `already_exists`. */
  readonly isCode?: boolean;
}

interface Place {
  readonly path: string;
  /** The path that objects above have in a property: class-validator's `property`. */
  readonly own: string;
  readonly key: string;
  /** True below a key for errors. */
  readonly isError: boolean;
  /** True if the object around is below one. */
  readonly isInErrors: boolean;
  /** Of an item of a list. */
  readonly index?: number | undefined;
  readonly depth: number;
}

/**
 * Reads field errors from the JSON body of a rejected form. Never throws. It finds lists and maps of a path and a message anywhere in
 * the first 10,000 values of a body. Of an item with a code and no message, the code becomes an English sentence. The fields of a form
 * decide which part of a path is a field's name, and which bare string is a message.
 */
export function readErrors(body: unknown, fields?: readonly FormField[], toText = describeCode): FieldErrors {
  const isField = (path: string) => !fields || matchField(fields, path) !== undefined;
  const known = collectMessages(body)
    .map(message => (fields ? locate(message, fields) : { ...message, path: stripPath(message.path) }))
    .filter(({ path, isBareString }) => path === '' || !isBareString || isField(path));
  const rank = Math.max(...known.map(message => message.rank));
  const errors = new Map<string, Set<string>>();
  for (const message of known) {
    if (message.rank < rank || (message.rank === 0 && message.path === '')) continue;
    const texts = errors.get(message.path) ?? new Set();
    errors.set(message.path, texts.add(message.isCode ? toText(message.text) : message.text));
  }
  const { detail } = isObject(body) ? body : {};
  if (errors.size === 0 && isSentence(detail)) errors.set('', new Set([detail]));
  return Object.fromEntries([...errors].map(([path, texts]) => [path, [...texts]]));
}

function collectMessages(body: unknown): readonly Message[] {
  let left = MAX_VALUES;
  return read(body, { path: '', own: '', key: '', isError: false, isInErrors: false, depth: 0 });

  function read(raw: unknown, place: Place): readonly Message[] {
    if (place.depth > MAX_DEPTH || left <= 0) return [];
    left -= 1;
    const value = parsedText(raw);
    const depth = place.depth + 1;
    if (Array.isArray(value)) {
      const path = place.index === undefined ? place.path : join(place.path, place.index);
      return value.flatMap((item: unknown, index) => read(item, { ...place, path, index, depth }));
    }
    if (isObject(value)) return readObject(value, place, depth);
    const isBareString = place.index === undefined;
    if (!isSentence(value) || (isBareString && (!place.isInErrors || place.own !== ''))) return [];
    return [{ path: place.path, text: value, rank: place.isInErrors ? 2 : 1, isBareString }];
  }

  function readObject(value: Readonly<Record<string, unknown>>, place: Place, depth: number): readonly Message[] {
    const { key: above, index, isError } = place;
    const isItem = index !== undefined;
    const strong = firstIn(value, TEXTS, isText);
    const text = strong ?? (isItem ? firstIn(value, WEAK_TEXTS, isText) : undefined);
    const path = pathOf(value, isItem, text !== undefined);
    const hasText = text !== undefined && (path !== undefined || isItem || !MAP_KEY.test(above));
    const own = path === undefined ? place.own : join(place.own, path);
    const keyPath = isItem && !hasText ? join(place.path, index) : place.path;
    const isNamed = path !== undefined && !(path !== '' && place.path.endsWith(`.${path}`));
    const base = isNamed ? own : keyPath;

    const inner = Object.entries(value).map(([key, child]) => {
      const isList = Array.isArray(child) && child.every(item => typeof item === 'string');
      if (NOT_READ.test(key) || Object.hasOwn(value, NAMES_BESIDE.get(key) ?? '')) return { isList, found: [] };
      const isConstraints = key === 'constraints' && isObject(child);
      const below = {
        path: isConstraints ? base : join(base, toPath(key)),
        own: isNamed ? own : place.own,
        key,
        isError: ERROR_KEY.test(key) || (isError && !hasText),
        isInErrors: isConstraints || (isError && !hasText && !isNamed),
        depth,
      };
      return { isList, found: read(isConstraints ? Object.values(child) : child, below) };
    });
    const all = inner.flatMap(({ found }) => found);
    const better = all.filter(message => message.rank === 2 && !message.isCode && message.text !== text);
    if (better.length > 0) {
      if (hasText && above !== '') return better;
      // Lists beside those of errors are errors, too: Django's `non_field_errors`.
      return inner.flatMap(({ isList, found }) =>
        isList ? found.map(item => ({ ...item, rank: 2 as const })) : found,
      );
    }
    if (!hasText || !isSentence(text)) {
      const isCode = path !== undefined && !hasText && typeof value.code === 'string';
      return isCode ? [...all, { path: base, text: value.code as string, rank: 2, isCode }] : all;
    }
    if (isError || (path !== undefined && strong !== undefined)) {
      const isSummary = !isItem && path === undefined && stripPath(base) === '';
      return [...(isSummary ? all : []), { path: base, text, rank: isSummary ? 0 : 2 }];
    }
    return [...all, { path: base, text, rank: base === '' && !isItem ? 0 : 1 }];
  }
}

/** The path in an object about one error; where it has a text, also one level below: `source.pointer`, `extensions.field`. */
function pathOf(value: Readonly<Record<string, unknown>>, isItem: boolean, hasText: boolean): string | undefined {
  if (!hasText) return firstIn(value, PATHS, isText);
  const below = Object.entries(value).filter(([key]) => !MAP_KEY.test(key));
  const parts = [value, ...below.map(([, child]) => child).filter(isObject)];
  const found = [PATHS, isItem ? WEAK_PATHS : '']
    .flatMap(keys => parts.map(part => firstIn(part, keys, isPath)))
    .filter(path => path !== undefined)
    .map(toPath);
  const missing = parts.map(part => part.missingProperty).find(isText);
  const path = found.find(Boolean) ?? found[0];
  return missing === undefined ? path : join(path ?? '', missing);
}

function firstIn<T>(value: Readonly<Record<string, unknown>>, keys: string, is: (found: unknown) => found is T) {
  for (const key of keys.split(' ')) {
    const found = key === 'loc' ? withoutRequestPart(value[key]) : value[key];
    if (is(found)) return found;
  }
  return undefined;
}

/** FastAPI's `loc` begins with a part of the request. */
function withoutRequestPart(loc: unknown): unknown {
  return Array.isArray(loc) && /^(?:body|query|path|header|cookie)$/.test(String(loc[0])) ? loc.slice(1) : loc;
}

function isPath(value: unknown): value is string | readonly (string | number)[] {
  const isName = (name: unknown) => typeof name === 'string' || typeof name === 'number';
  return Array.isArray(value) ? value.every(isName) : typeof value === 'string' && !/\s|Error$|Exception$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Not a text for programs: JSON, a stack trace. */
function isSentence(value: unknown): value is string {
  return isText(value) && parsedText(value) === value && !/\n\s+(?:at|File) |^Traceback|^\w+Error$/.test(value);
}

/** `#/data/title`, `['title']` and `tags[0].name` become `#.data.title`, `title` and `tags.0.name`. */
function toPath(path: unknown): string {
  return [path]
    .flat()
    .join('.')
    .split(/[/.[\]]+/)
    .filter(Boolean)
    .join('.');
}

function join(path: string, name: string | number): string {
  return [path, name].filter(part => part !== '').join('.');
}

/** The path without the format's own segments. `errors.title`, `author.non_field_errors`, `detail` become `title`, `author` and an empty path. */
function stripPath(path: string): string {
  const segments = path.split('.').filter(Boolean);
  while (segments.length > 0 && NO_NAME.test(segments.at(-1)!)) segments.pop();
  while (segments.length > 1 && (PREFIX.test(segments[0]!) || ERROR_KEY.test(segments[0]!))) segments.shift();
  if (segments.length === 1 && /^(?:[#$]|\d+)$|^$/.test(segments[0]!)) return '';
  if (segments.length === 1 && NO_FIELD.test(segments[0]!)) return '';
  // Zod's tree.
  const isTree = /(?:^|\.)properties\./.test(path);
  return segments.filter(segment => !isTree || !/^(?:properties|items)$/.test(segment)).join('.');
}

/** The message with the path that the form's fields know, in the path itself or in the text. */
function locate(message: Message, fields: readonly FormField[]): Message {
  const stripped = stripPath(message.path);
  if (stripped !== '' && matchField(fields, stripped)) return { ...message, path: stripped };
  const named = stripped === '' ? mentionField(message, fields) : undefined;
  const match = message.rank > 0 && !message.isBareString ? matchField(fields, message.path) : undefined;
  const isKnown = match && (stripped !== '' || match.rest.length === 0);
  return named ?? (isKnown ? message : { ...message, path: stripped });
}

/** A message without a path may name its field: `body/title must …`, `title must …`, `"title" is …`. */
function mentionField(message: Message, fields: readonly FormField[]): Message | undefined {
  const [word = ''] = /^[^\s:"'`]+/.exec(message.text) ?? [];
  const quoted = [...message.text.matchAll(/["'`“‘(]([\w$.[\]/-]+)["'`”’)]/g)].map(([, name = '']) => name);
  const isPathWord = /\w[./]\w/.test(word) && matchField(fields, toPath(word)) !== undefined;
  const path =
    isPathWord || fields.some(({ name }) => name === word)
      ? word
      : quoted.find(name => matchField(fields, toPath(name)));
  if (path === undefined) return undefined;
  return {
    ...message,
    path: toPath(path),
    text: isPathWord ? message.text.slice(word.length).replace(/^:?\s*/, '') : message.text,
  };
}

/** Statuses with which servers reject the values of a form. */
const VALIDATION_STATUSES = [400, 409, 422];

/** The JSON with which a server rejected a form. Undefined for another status, for a body that is not JSON, and after 2 s. */
export async function readValidationBody(error: unknown, clock = systemClock): Promise<unknown> {
  const { response } = (error ?? {}) as { response?: Response };
  if (!response || !VALIDATION_STATUSES.includes(response.status)) return undefined;
  return readJsonBody(response, clock);
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
    const match = matchField(fields, path);
    if (!match && SECRET_NAME.test(path)) continue;
    const target = match ? (byField.get(match.field.name) ?? []) : ofForm;
    if (match) byField.set(match.field.name, target);
    const shown = messages.filter(message => !target.includes(message)).slice(0, MAX_MESSAGES - target.length);
    const about = match ? entriesOf(match.field, values[match.field.name])[Number(match.rest[0])] : inWords(path);
    target.push(...(about ? shown.map(message => `${about}: ${message}`) : shown));
  }
  return {
    byField: new Map(
      [...byField].filter(([, messages]) => messages.length > 0).map(([name, messages]) => [name, messages.join(' ')]),
    ),
    ofForm,
  };
}

/** `organisation_id` and `author.lastName` become `organisation id` and `author last name`. */
function inWords(path: string): string {
  return path
    .split('.')
    .slice(-2)
    .join(' ')
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .trim();
}

/**
 * The field that a path names: that with the longest name with which the path begins (`tags` for `tags.0`), else with which its tail begins
 * (`title` for `body.payload.title`). Ignores case, `_` and `-` where no name is the same.
 */
function matchField(fields: readonly FormField[], path: string) {
  const segments = path.split('.');
  for (let start = 0; start < segments.length; start++)
    for (let end = segments.length; end > start; end--) {
      const name = segments.slice(start, end).join('.');
      const field = fields.find(other => other.name === name) ?? fields.find(other => fold(other.name) === fold(name));
      if (field) return { field, rest: segments.slice(end) };
    }
  return undefined;
}

function fold(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

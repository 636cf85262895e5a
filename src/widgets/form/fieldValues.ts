// From a record to the values of a form, and from those to the body of a request.
import type { FieldOption, FieldValue, FormField, FormValues } from './FormField.js';

type Data = Readonly<Record<string, unknown>>;

/** Converts a record to the values of a form. A value that no input can show becomes empty. */
export function toFormValues(fields: readonly FormField[], record: object | undefined): FormValues {
  return Object.fromEntries(fields.map(field => [field.name, toFieldValue(field, readPath(record, field.name))]));
}

function toFieldValue(field: FormField, value: unknown): FieldValue {
  switch (field.type) {
    case 'checkbox':
      // MySQL and SQLite have 1 for true.
      return value === true || value === 1 || value === '1';
    case 'file':
      return [];
    case 'hidden':
      return toText(field.value ?? value);
    case 'date':
      return toText(value).slice(0, 10);
    case 'datetime-local':
      return toLocalTime(value, field.step === undefined ? 16 : 19);
    case 'list':
      return toTexts(value);
    case 'select':
      return field.multiple ? toTexts(value) : toText(value);
    default:
      return toText(value);
  }
}

/** The entries of a list that are texts, numbers or booleans. */
function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(toText).filter(text => text !== '') : [];
}

function toText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  // A value that a class of the entity's schema has made: a BigNumber, a moment of Temporal.
  if (isData(value) && typeof value.toJSON === 'function') return toText((value.toJSON as () => unknown)());
  const { toString } = isData(value) ? value : {};
  if (typeof toString === 'function' && toString !== Object.prototype.toString && !Array.isArray(value))
    return toString.call(value);
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** True if a text is a number that JavaScript can hold: 9007199254740993 would be sent as 9007199254740992. */
export function isExactNumber(text: string): boolean {
  const digits = digitsOf(text);
  return text === '' || (digits !== undefined && digits === digitsOf(String(Number(text))));
}

/** The digits of a number and the place of its point, however it is written: `1.50`, `+1.5` and `15e-1` are the same. */
function digitsOf(text: string): string | undefined {
  const [, sign, whole = '', part = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  if (sign === undefined || whole + part === '') return undefined;
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - part.length + digits.length - significant.length}`;
}

/** A moment in the time zone of the user, as `datetime-local` holds it: `2026-11-22T14:30`. */
function toLocalTime(value: unknown, length: number): string {
  const time = new Date(toText(value));
  if (Number.isNaN(time.getTime())) return '';
  // Not by the offset, which is in whole minutes: until 1893, the clocks of Berlin were 53 minutes and 28 seconds ahead.
  const local = new Date(0);
  local.setUTCFullYear(time.getFullYear(), time.getMonth(), time.getDate());
  local.setUTCHours(time.getHours(), time.getMinutes(), time.getSeconds());
  return local.toISOString().slice(0, length);
}

/** What a field sends. Undefined for a file field without a file: it sends nothing. */
function toSentValue(field: FormField, value: FieldValue | undefined, initial: unknown): unknown {
  switch (field.type) {
    case 'number':
      if (value === '') return null;
      // What JavaScript cannot hold goes as it was typed, and so does the value of a class.
      return isData(initial) || !isExactNumber(value as string) ? value : Number(value);
    case 'date':
    case 'time':
      return value === '' ? null : value;
    case 'datetime-local':
      return value === '' ? null : new Date(value as string).toISOString();
    case 'list':
      return filledLines(value);
    case 'select':
    case 'radio':
      if (value === '') return null;
      if (Array.isArray(value)) return (value as string[]).map(text => valueOfOption(field.options, text, initial));
      return valueOfOption(field.options, value as string, initial);
    case 'file':
      return field.multiple && (value as File[]).length > 0 ? value : (value as File[])[0];
    case 'hidden':
      return field.value === undefined ? initial : field.value;
    default:
      return value;
  }
}

/** The lines of a list field that have a text. */
function filledLines(value: FieldValue | undefined): string[] {
  return (value as readonly string[]).map(text => text.trim()).filter(text => text !== '');
}

/** The entries of a field that sends a list, as the user knows them: texts, options, files. */
export function entriesOf(field: FormField, value: FieldValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  switch (field.type) {
    case 'list':
      return filledLines(value);
    case 'select':
      return (value as string[]).map(
        text => field.options.find(option => String(option.value) === text)?.label ?? text,
      );
    default:
      return (value as File[]).map(({ name }) => name);
  }
}

function valueOfOption(options: readonly FieldOption[], text: string, initial: unknown): unknown {
  const option = optionOf(options, text);
  return option ? option.value : ([initial].flat().find(value => String(value) === text) ?? text);
}

function optionOf(options: readonly FieldOption[], text: string): FieldOption | undefined {
  return options.find(({ value }) => String(value) === text);
}

/** The chosen options of a field with options: none for another field. */
export function chosenOptions(field: FormField, value: FieldValue | undefined): readonly FieldOption[] {
  if (field.type !== 'select' && field.type !== 'radio') return [];
  return ([value].flat() as string[]).flatMap(text => optionOf(field.options, text) ?? []);
}

/**
 * The field with each chosen value among its options. A list of options may change after the choice, by a search or a refetch, and a record
 * may have a value that is no option any more: what is shown is what is sent.
 *
 * @param chosen The options that the user has chosen in this field.
 * @param initial The record that the form was filled with.
 */
export function withChosenOptions(
  field: FormField,
  value: FieldValue | undefined,
  chosen: readonly FieldOption[] = [],
  initial?: object,
): FormField {
  if (field.type !== 'select' && field.type !== 'radio') return field;
  const missing = ([value].flat() as string[])
    .filter(text => text !== '' && !optionOf(field.options, text))
    .map(text => optionOf(chosen, text) ?? optionOfRecord(text, readPath(initial, field.name)));
  return missing.length === 0 ? field : { ...field, options: [...missing, ...field.options] };
}

function optionOfRecord(text: string, value: unknown): FieldOption {
  return { value: valueOfOption([], text, value) as FieldOption['value'], label: text };
}

/** The fields whose values differ. */
export function changedFields(fields: readonly FormField[], values: FormValues, before: FormValues): FormField[] {
  return fields.filter(({ name }) => !isSameValue(values[name], before[name]));
}

export function isSameValue(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

interface BodyOptions {
  /** The fields to send. Hidden fields are always sent. @default all of the form */
  readonly sent?: readonly FormField[];
  /** The record that the form was filled with. */
  readonly initial?: object | undefined;
  /** The body before the values are in it. It is not changed. @default an empty object */
  readonly base?: object | undefined;
}

/**
 * The body of a request. Names with dots become objects in it. With a file field in the form, it is a `FormData`, whether a file is chosen
 * or not.
 */
export function toRequestBody(
  fields: readonly FormField[],
  values: FormValues,
  { sent = fields, initial, base }: BodyOptions = {},
): object {
  let body: object = { ...base };
  for (const field of fields) {
    const { name, type } = field;
    const isSent = type === 'hidden' || sent.includes(field);
    const value = isSent ? toSentValue(field, values[name], readPath(initial, name)) : undefined;
    // A record has the address of a file in place of the file: it is left out.
    if (isSent || type === 'file') body = withPath(body, name, value, initial);
  }
  return fields.some(({ type }) => type === 'file') ? toFormData(body) : body;
}

/**
 * Spelled as an HTML form would: dots in the names of inner fields, a name once for each item of a list, an empty text for null. The browser
 * sets the `Content-Type`.
 */
function toFormData(body: object): FormData {
  const form = new FormData();
  const append = (name: string, value: unknown): void => {
    if (isBlob(value)) form.append(name, value);
    else if (Array.isArray(value))
      value.forEach((item: unknown, index) => append(isData(item) ? `${name}.${index}` : name, item));
    else if (isData(value)) for (const inner of Object.keys(value)) append(`${name}.${inner}`, value[inner]);
    else if (value !== undefined) form.append(name, toText(value));
  };
  for (const [name, value] of Object.entries(body)) append(name, value);
  return form;
}

/** By its tag: a file that was chosen in another window or an `<iframe>` is not of this page's classes. */
function isBlob(value: unknown): value is Blob {
  return /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(value));
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !isBlob(value) && !(value instanceof Date);
}

/** The value at a path: `author.email`. Not what every object inherits, such as `constructor`. */
function readPath(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split('.')) {
    if (!isData(value) || (name in Object.prototype && !Object.hasOwn(value, name))) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * A copy with another value at this path; a number in the path makes a list. A computed key in a literal is an own property, also when it is
 * `__proto__`.
 *
 * @param old What the record has there: the other entries of a list are sent with the changed one.
 */
function withPath(record: unknown, path: string, value: unknown, old?: unknown): object {
  const [head = '', ...rest] = path.split('.');
  const isIndex = /^\d+$/.test(head);
  const from = isIndex && record === undefined && Array.isArray(old) ? (old as unknown) : record;
  const inner = rest.length === 0 ? value : withPath(readPath(from, head), rest.join('.'), value, readPath(old, head));
  const isList = Array.isArray(from) || (from === undefined && isIndex);
  if (!isList) return { ...(isData(from) && from), [head]: inner };
  return Object.assign([...((from ?? []) as unknown[])], { [head]: inner });
}

import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { isObject } from '../../isObject.js';

/** The value of a field that the form holds: a boolean for a checkbox, a list for files, texts and chosen options, else text. */
export type FieldValue = string | boolean | readonly File[] | readonly string[];

/** The values of a form by field name, as its inputs hold them. Numbers and dates are text here. */
export type FormValues = Readonly<Record<string, FieldValue>>;

/** Props passed to `renderField`. */
export interface FieldSlotProps<Value extends FieldValue = string> {
  readonly value: Value;
  /** Of all fields of the form. */
  readonly values: FormValues;
  /** Sets the value, and removes the error of the field. */
  readonly onChange: (value: Value) => void;
  /** The server's message for this field. The form shows it below what you render. */
  readonly error: string | undefined;
  /** Spread these on the element that takes the focus: they connect it with its label, hint and error. */
  readonly inputProps: {
    readonly id: string;
    readonly name: string;
    readonly className: string;
    readonly required: boolean | undefined;
    /** True if the user may not change the field; see `permissions`. */
    readonly disabled: true | undefined;
    /** The ids of the hint and of the error. */
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  };
}

/** One choice of a select or a radio group. */
export interface FieldOption {
  /** Sent as it is: a number stays a number. */
  readonly value: string | number | boolean;
  readonly label: string;
}

interface BaseField<Name extends string, Value extends FieldValue> {
  /** The name of the record's field, or of the login value. Dots lead into objects: `author.email`. */
  readonly name: Name;
  /** Shown beside the input, and its accessible name. */
  readonly label: string;
  /** Shown below the input, which it describes. Text, or elements that a paragraph may contain. */
  readonly hint?: ReactNode;
  /** The browser does not submit the form while the input is empty. A mark beside the label shows it. @default false */
  readonly required?: boolean | undefined;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  /** Renders an input of your own. The label, the hint and the error stay around it. @default the browser's input for the type */
  readonly renderField?: ((field: FieldSlotProps<Value>) => ReactNode) | undefined;
}

interface TextLimits {
  readonly placeholder?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** Refused without a `type` too, by which TypeScript tells the other fields apart. */
type NotOfText = {
  readonly [K in 'options' | 'min' | 'max' | 'step' | 'rows' | 'multiple' | 'accept' | 'size']?: undefined;
};

/** Text. An empty input sends an empty text. */
interface TextField<Name extends string = string> extends BaseField<Name, string>, TextLimits, NotOfText {
  /** @default 'text' */
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'tel' | 'search' | undefined;
  /** A regular expression that the whole text has to match, as in HTML. Say in the `hint` which text is accepted. */
  readonly pattern?: string | undefined;
}

/** Text of several lines. An empty input sends an empty text. */
interface TextAreaField<Name extends string = string> extends BaseField<Name, string>, TextLimits {
  readonly type: 'textarea';
  readonly rows?: number | undefined;
}

/** Sends a number, and null when it is empty. */
interface NumberField<Name extends string = string> extends BaseField<Name, string> {
  readonly type: 'number';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** @default 1: whole numbers */
  readonly step?: number | 'any' | undefined;
  readonly placeholder?: string | undefined;
}

/**
 * Sends text, and null when it is empty: a `date` sends `2026-11-22`, a `time` sends `14:30`. A `datetime-local` shows a moment in the
 * user's time zone and sends it in UTC: `2026-11-22T13:30:00.000Z`.
 */
interface DateField<Name extends string = string> extends BaseField<Name, string> {
  readonly type: 'date' | 'time' | 'datetime-local';
  /** The earliest value, as the input holds it: `2026-11-22`, `14:30`, `2026-11-22T14:30`. */
  readonly min?: string | undefined;
  /** The latest value. @default the end of the year 9999, so that the browser refuses a year of five digits */
  readonly max?: string | undefined;
  /** In days for a `date`, else in seconds. @default 1 day, or 60 seconds */
  readonly step?: number | 'any' | undefined;
}

/** Sends the `value` of the option, and null when none is chosen. */
interface SelectField<Name extends string = string> extends BaseField<Name, string> {
  readonly type: 'select';
  readonly multiple?: false | undefined;
  readonly options: readonly FieldOption[];
  /** The text of the empty choice. @default no text */
  readonly placeholder?: string | undefined;
}

/** Sends an array with the `value` of each chosen option, in the order of the options. */
interface MultiSelectField<Name extends string = string> extends BaseField<Name, readonly string[]> {
  readonly type: 'select';
  readonly multiple: true;
  readonly options: readonly FieldOption[];
  /** The number of options that are seen at once. @default as the browser has it: 4 */
  readonly size?: number | undefined;
}

/** Tags, addresses and other texts, one on each line. Sends an array of them, without empty lines and spaces around a text. */
interface ListField<Name extends string = string> extends BaseField<Name, readonly string[]> {
  readonly type: 'list';
  readonly placeholder?: string | undefined;
  readonly rows?: number | undefined;
}

/** A group with one button for each option. Sends the `value` of the option, and null when none is chosen. */
export interface RadioField<Name extends string = string> extends BaseField<Name, string> {
  readonly type: 'radio';
  readonly options: readonly FieldOption[];
}

/** Sends a boolean. Is checked if the record has true, 1 or '1'. A required one has to be checked. */
interface CheckboxField<Name extends string = string> extends BaseField<Name, boolean> {
  readonly type: 'checkbox';
}

/** Sends a `File`, and nothing when none is chosen. A form with a file field sends `multipart/form-data`. */
interface FileField<Name extends string = string> extends BaseField<Name, readonly File[]> {
  readonly type: 'file';
  /** The user may choose several files, which are sent under the same name. @default false */
  readonly multiple?: boolean | undefined;
  /** Types that the browser offers: `image/*`, `.pdf`. The server still has to check them. */
  readonly accept?: string | undefined;
}

/** Not shown, and sent with each request, also with a PATCH of other fields. */
interface HiddenField<Name extends string = string> {
  readonly type: 'hidden';
  readonly name: Name;
  /** @default the field of `initial` */
  readonly value?: string | number | boolean | null | undefined;
}

/** One field of a form. Its `type` decides which other props it takes. */
export type FormField<Name extends string = string> =
  | TextField<Name>
  | TextAreaField<Name>
  | NumberField<Name>
  | DateField<Name>
  | SelectField<Name>
  | MultiSelectField<Name>
  | ListField<Name>
  | RadioField<Name>
  | CheckboxField<Name>
  | FileField<Name>
  | HiddenField<Name>;

/** A field that the user sees. */
export type ShownField = Exclude<FormField, HiddenField>;

export function isShown(field: FormField): field is ShownField {
  return field.type !== 'hidden';
}

/**
 * Throws if `fields` is not an array of objects with a `name`. In development only: in production, code that reads the fields throws.
 *
 * @throws TypeError that names the remedy.
 */
export function assertFields(fields: unknown): void {
  const hasName = (field: unknown) => isObject(field) && typeof field.name === 'string';
  if (Array.isArray(fields) && fields.every(hasName)) return;
  throw new TypeError(
    "The prop `fields` of a form must be an array of objects, each with a `name`. Pass one for each input: fields={[{ name: 'title', label: 'Title' }]}. Remove entries that are false or undefined.",
  );
}

type Leaf = readonly unknown[] | Date | Blob;
/** One dot less. Entities refer to each other without end, so the number of dots is limited. */
type Fewer = readonly [never, 0, 1];

/**
 * The names of a record's fields, without its methods, and with up to two dots those of the objects in it: `title`, `author.email`. Of a
 * record that may be one of several kinds, the names of each.
 */
export type FieldName<Data, Dots extends 0 | 1 | 2 = 2> = [Dots] extends [never]
  ? never
  : Data extends unknown
    ? {
        [K in Extract<keyof Data, string>]-?: NonNullable<Data[K]> extends Leaf
          ? K
          : NonNullable<Data[K]> extends (...args: never[]) => unknown
            ? never
            : NonNullable<Data[K]> extends object
              ? K | `${K}.${FieldName<NonNullable<Data[K]>, Fewer[Dots]>}`
              : K;
      }[Extract<keyof Data, string>]
    : never;

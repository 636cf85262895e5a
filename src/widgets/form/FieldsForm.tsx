import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { wrapText } from '../../wrapText.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { ErrorText } from '../shared/ErrorView.js';
import { getFocused, isFocusOnDialogAround } from '../shared/focus.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { isSameValue } from './fieldValues.js';
import { isShown, type FieldValue, type FormField, type FormValues, type ShownField } from './FormField.js';
import { FormInput, readLines, readSelect } from './FormInput.js';
import { useFieldsForm, type FieldsFormOptions } from './useFieldsForm.js';

interface FieldsFormProps extends FieldsFormOptions {
  className: string;
  label: string | undefined;
  submitLabel: string;
  pendingLabel: string;
  /** Announced beside the button after a success, until the next edit or submit. @default no text */
  success?: ReactNode;
  /** Marks required fields beside their labels. @default true */
  marksRequired?: boolean;
  /** The text for an error without messages for the form. @default `labels.failure` */
  describe?: ((error: Error, serverMessage?: string) => string) | undefined;
  renderError?: ((error: Error) => ReactNode) | undefined;
  /** Shown as a heading above everything else. @default no heading */
  title?: ReactNode;
  /** Shown below the button. @default nothing */
  links?: ReactNode;
  /** Shown before the button, in its line. @default nothing */
  actions?: ReactNode;
  /** Shown above the fields. The element with `noteId` describes the form. */
  note?: ReactNode;
  noteId?: string | undefined;
  /** The fields that the user may not change, with the reason. Their inputs are disabled. @default none */
  denied?: ReadonlyMap<string, string | undefined> | undefined;
  /** Shows neither inputs that can be changed nor a button. @default false */
  isReadOnly?: boolean;
  /** Focuses the first input when the form is mounted and no other element has the focus, or the dialog around the form has it. @default false */
  autoFocus?: boolean;
}

/**
 * Labelled inputs and a submit button. Text stays until the server has accepted it, and a second submit while one is
 * pending sends nothing.
 */
export function FieldsForm({
  labels,
  autoFocus,
  success,
  marksRequired = true,
  denied,
  isReadOnly = false,
  ...props
}: FieldsFormProps): ReactNode {
  const { describe = labels.failure, renderError } = props;
  const state = useFieldsForm({ ...props, labels });
  const { fields, values, pending, error, errors, getFieldError, isDone, change, submit } = state;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const showsPending = useDelayedFlag(pending);

  const readForm = () => readInputs(form.current!, fields, values);
  // Text that was typed before the page was hydrated.
  useBeforePaint(() => state.takeOver(readForm()), []);

  // The browser counts steps from the attribute `value`, to which React copies what the user types: each value would be a step. One that the
  // user has not changed stays valid.
  const checkSteps = () => {
    for (const { name } of state.changed) {
      const [input] = findInputs(form.current!, name);
      if (input && STEPPED.has(input.type)) input.removeAttribute('value');
    }
  };

  // Sighted users see the messages at the fields, and no summary of them.
  const isSaidAtFields = errors.byField.size > 0 && errors.ofForm.length === 0 && !renderError;
  const findFirstInput = () => form.current?.querySelector<HTMLElement>('.dca-input');
  useBeforePaint(() => {
    if (autoFocus && (!getFocused(form.current) || isFocusOnDialogAround(form.current))) findFirstInput()?.focus();
  }, []);
  // A note may go away together with its button, which the user has just pressed.
  useRestoreFocus(form, findFirstInput);
  useEffect(() => {
    const focused = getFocused(form.current);
    const isElsewhere = focused && focused.closest('form') !== form.current;
    if (errors.byField.size === 0 || isElsewhere) return;
    const input = form.current?.querySelector<HTMLElement>(FIRST_INVALID);
    // Screen readers read the message when the focus comes, so it has to leave an input that has it.
    if (input && input === focused) input.blur();
    input?.focus();
  }, [errors]);

  return (
    <form
      ref={form}
      // Before the page is hydrated, the browser sends the form itself. A GET would put a password into the address.
      method="post"
      className={props.className}
      aria-label={props.label}
      aria-describedby={props.noteId}
      aria-busy={pending}
      // React also passes on the events of portals: a form that is rendered below this one, in a dialog, is not this form.
      onSubmit={event => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        // A form of the app above a portal gets no submit. The native event goes on, for listeners of the page that count forms.
        event.isPropagationStopped = () => true;
        if (!isReadOnly) submit(readForm());
      }}
      // What the browser refuses looks like what the server refuses.
      onInvalidCapture={event => {
        const { name, form: owner, validationMessage } = event.target as HTMLInputElement;
        if (owner !== event.currentTarget || !fields.some(field => field.name === name)) return;
        event.preventDefault();
        state.refuse(name, validationMessage);
      }}
      // An Enter that is held submits once. Lines of text are written on.
      onKeyDown={event => {
        const isRepeatedEnter = event.repeat && event.key === 'Enter';
        const target = event.target as Element;
        const isOwn = event.currentTarget.contains(target) && target.matches('input, button');
        if (isRepeatedEnter && isOwn) event.preventDefault();
      }}
    >
      {props.title != null && <h2 className="dca-title">{props.title}</h2>}
      {props.note}
      {fields.map(field =>
        !isShown(field) ? (
          <input key={field.name} type="hidden" name={field.name} value={values[field.name] as string} />
        ) : (
          <FormInput
            key={field.name}
            id={`${id}-${field.name}`}
            field={field}
            value={values[field.name] ?? ''}
            values={values}
            error={getFieldError(field.name)}
            // An error that names no field may be about any of them.
            formErrorId={error && errors.byField.size === 0 ? `${id}-error` : undefined}
            marksRequired={marksRequired}
            isSending={pending}
            isDisabled={isReadOnly || denied?.has(field.name) === true}
            disabledBecause={denied?.get(field.name)}
            labels={labels}
            onChange={value => change(field.name, value)}
          />
        ),
      )}
      {/* A summary of messages that are gone says nothing. What `renderError` shows may say more. */}
      {error && (renderError || !state.isCorrected) && (
        <ErrorText
          error={error}
          labels={labels}
          // Messages at the fields say more than the server's summary of them.
          describe={errors.byField.size > 0 ? failure => describe(failure) : describe}
          override={renderError ? renderError(error) : errors.ofForm.join(' ') || undefined}
          className={`dca-form-error${isSaidAtFields ? ' dca-hidden' : ''}`}
          id={`${id}-error`}
        />
      )}
      {state.reload && (
        <button type="button" className="dca-button" onClick={state.reload}>
          {labels.reload}
        </button>
      )}
      <div className="dca-buttons">
        {props.actions}
        {/* Not `disabled`: a disabled button loses the focus. */}
        {!isReadOnly && (
          <button
            type="submit"
            className="dca-button"
            aria-disabled={showsPending}
            // The second press of a double click, when the first one has been answered, would send the emptied inputs.
            onClick={event => {
              if (event.detail > 1) event.preventDefault();
              else checkSteps();
            }}
          >
            {showsPending ? (state.isReloading ? labels.loading : props.pendingLabel) : props.submitLabel}
          </button>
        )}
        {/* Always there: screen readers announce text that appears in it. */}
        {success !== undefined && (
          <span role="status" className="dca-form-status">
            {wrapText(isDone && success)}
          </span>
        )}
      </div>
      {props.links != null && <div className="dca-links">{props.links}</div>}
    </form>
  );
}

/** Types of inputs with a `step`. */
const STEPPED = new Set(['number', 'date', 'time', 'datetime-local']);

/** The input to which an error belongs: that of the field, or the first one of its group. */
const FIRST_INVALID = '[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input';

/**
 * What the browser's inputs hold without an event, where it differs from the form's values: what the user entered or chose before the page was
 * hydrated, or a password manager filled in; a file that was chosen again. Not of inputs that the app renders.
 */
function readInputs(form: HTMLFormElement, fields: readonly FormField[], values: FormValues): FormValues {
  const read = fields.flatMap(field => {
    if (!isShown(field) || field.renderField) return [];
    const inputs = findInputs(form, field.name).filter(input => !input.disabled);
    const value = inputs[0] && readInput(field, inputs, values[field.name]);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(read);
}

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Not by `form.elements`: in a form with a field named `elements`, that is the input of the field. */
function findInputs(form: HTMLFormElement, name: string): Input[] {
  return [...form.querySelectorAll<Input>('input, textarea, select')].filter(input => input.name === name);
}

/** Undefined for inputs that hold the value. */
function readInput(field: ShownField, inputs: readonly Input[], value: FieldValue | undefined): FieldValue | undefined {
  const held = heldBy(field, inputs);
  if (isSameValue(held, value)) return undefined;
  if (typeof value !== 'string' || !('value' in inputs[0]!) || field.type === 'radio' || field.type === 'select')
    return held;
  // An input changes the text that it is given: it removes spaces around an address, and the \r of a line.
  const other = inputs[0].cloneNode() as HTMLInputElement;
  other.value = value;
  return other.value === held ? undefined : held;
}

function heldBy(field: ShownField, inputs: readonly Input[]): FieldValue {
  const input = inputs[0] as HTMLInputElement;
  switch (field.type) {
    case 'checkbox':
      return input.checked;
    case 'file':
      return [...(input.files ?? [])];
    case 'radio':
      return (inputs as readonly HTMLInputElement[]).find(({ checked }) => checked)?.value ?? '';
    case 'select':
      return readSelect(inputs[0] as HTMLSelectElement);
    case 'list':
      return readLines(input.value);
    default:
      return input.value;
  }
}

import { type ReactNode, useId, useState } from 'react';
import { useAuth } from '../../providers/useAuth.js';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { getErrorStatus } from '../labels/describeError.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import type { FieldErrors } from './fieldErrors.js';
import { FieldsForm, callUserCallback } from './FieldsForm.js';
import type { FormField, FormValues } from './FormField.js';

export interface LoginFormProps {
  /** The inputs. @default `username` and `password`, which password managers know */
  fields?: readonly FormField[] | undefined;
  /** Signs in with what was typed; rejecting keeps it. @default `useAuth().login(values)` */
  onSubmit?: ((values: FormValues) => Promise<unknown>) | undefined;
  /** Called when somebody has signed in. What it throws is reported, and does not undo that. */
  onSuccess?: (() => void) | undefined;
  /** A refusal, in words or otherwise. It is announced. @default what happened in words */
  renderError?: ((error: Error) => ReactNode) | undefined;
  /** Tells what the server has refused at which field, from the JSON of its answer. @default `fieldErrors`, without lone texts of names that are no field */
  getFieldErrors?: ((answer: unknown, error: Error) => FieldErrors) | undefined;
  /** The name of the form, for those who do not see it. @default the word on its button */
  label?: string | undefined;
  /** The words that the widget says by itself. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** A class beside `dca-login`. */
  className?: string | undefined;
}

/**
 * Signs somebody in: two labelled inputs and a button. A refusal is announced and keeps what was typed; a second press while the
 * first is under way sends nothing. It says why it is here: after an expiry; when it could not be checked who is signed in; when the server
 * has not confirmed a sign-out. A button tries the last two again. The form takes the focus that the screen before it has lost.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * <LoginForm />
 */
export function LoginForm({ fields, onSubmit, onSuccess, renderError, getFieldErrors, label, labels: given, className }: LoginFormProps): ReactNode {
  const { login, logout, refresh, reason, unconfirmed } = useAuth();
  const labels = useWidgetLabels(given);
  const noteId = useId();
  const unconfirmedNotes = { restore: labels.notRestored, logout: labels.logoutUnconfirmed };
  const unconfirmedNote = unconfirmed && { text: unconfirmedNotes[unconfirmed], retry: { restore: refresh, logout }[unconfirmed] };
  const note = reason === 'expired' ? { text: labels.sessionExpired } : unconfirmedNote;
  const signIn = async (values: FormValues) => {
    await (onSubmit ?? login)(values);
    callUserCallback(() => onSuccess?.());
  };
  return (
    <FieldsForm
      className={['dca-login', className].filter(Boolean).join(' ')}
      label={label ?? labels.signIn}
      fields={
        fields ?? [
          { name: 'username', label: labels.username, autoComplete: 'username', required: true },
          { name: 'password', label: labels.password, type: 'password', autoComplete: 'current-password', required: true },
        ]
      }
      submitLabel={labels.signIn}
      pendingLabel={labels.signingIn}
      labels={labels}
      resetOnSuccess
      describe={error => (getErrorStatus(error) === 401 ? labels.wrongLogin : labels.failure(error))}
      renderError={renderError}
      getFieldErrors={getFieldErrors}
      note={note && <LoginNote id={noteId} labels={labels} {...note} />}
      noteId={note && noteId}
      autoFocus={reason !== undefined}
      onSubmit={signIn}
    />
  );
}

interface LoginNoteProps {
  id: string;
  text: string;
  /** Asks the server once more. Absent: there is nothing to ask. */
  retry?: (() => Promise<unknown>) | undefined;
  labels: WidgetLabels;
}

/** Says why the login form is here, and where the server's answer is missing, asks for it again. */
export function LoginNote({ id, text, retry, labels }: LoginNoteProps): ReactNode {
  const { pending, run } = useAsyncAction();
  const [failures, setFailures] = useState(0);
  const showsPending = useDelayedFlag(pending);
  const tryAgain = () => void run(retry!).catch(() => setFailures(count => count + 1));

  if (!retry) {
    return (
      <p role="status" className="dca-note" id={id}>
        {text}
      </p>
    );
  }
  return (
    <div className="dca-note dca-unconfirmed" aria-busy={pending}>
      <p role="status" id={id}>
        {/* A new element after each failure, so that the same sentence is announced again. */}
        <span key={failures}>{text}</span>
      </p>
      {/* Not `disabled`, which would take the focus away from it. */}
      <button type="button" className="dca-button" aria-disabled={showsPending} onClick={pending ? undefined : tryAgain}>
        {showsPending ? labels.retrying : labels.retry}
      </button>
    </div>
  );
}

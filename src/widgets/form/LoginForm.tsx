import { useId, useState, type ReactNode } from 'react';
import { ChallengeCancelledError } from '../../errors.js';
import { useAuth } from '../../providers/useAuth.js';
import { failureKind, getErrorStatus } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { useAsyncAction } from '../shared/useAsyncAction.js';
import type { FieldErrors } from './fieldErrors.js';
import { FieldsForm } from './FieldsForm.js';
import type { FormField, FormValues } from './FormField.js';

export interface LoginFormProps {
  /** The inputs, in order. @default `username` and `password`, with the `autoComplete` values of password managers */
  fields?: readonly FormField[] | undefined;
  /** Signs in with the values. When it rejects, the inputs keep them. @default `useAuth().login(values)` */
  onSubmit?: ((values: FormValues) => Promise<unknown>) | undefined;
  /** Called after the sign-in. An error that it throws is reported as uncaught and does not undo the sign-in. */
  onSuccess?: (() => void) | undefined;
  /** The heading of the form, at level 2. Null shows none. @default the label `signInTitle` */
  title?: ReactNode;
  /** Shown below the button, e.g. a link to the page for a forgotten password. @default nothing */
  links?: ReactNode;
  /**
   * Shows a checkbox "Keep me signed in", which is not checked at first. Its value is the login value `remember`, a boolean:
   * a token session with a `RememberedStorage` chooses the storage by it, and the server of a cookie session the lifetime
   * of its cookie. @default false
   */
  remember?: boolean | undefined;
  /** Renders the error of a failed sign-in, inside an alert. @default a text */
  renderError?: ((error: Error) => ReactNode) | undefined;
  /**
   * Returns the field errors in the JSON body of a rejected form (400, 409, 422); undefined where the form shall read them.
   * @default the lists and maps of a path and a message in the body: `{ errors: { title: ['…'] } }`, `{ detail: [{ loc: ['body', 'title'], msg: '…' }] }`
   */
  getFieldErrors?: ((body: unknown, error: Error) => FieldErrors | undefined) | undefined;
  /** Accessible name of the form (`aria-label`). @default the text of its button */
  label?: string | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-login`. */
  className?: string | undefined;
}

/**
 * Signs a user in: labelled inputs and a button. An error is announced, and the inputs keep their values. An error whose message is for the
 * developer goes to `console.error`, and the user sees the label `loginFailed`. A second submit while one is pending sends nothing.
 *
 * A note above the inputs says why the form is shown: the user has signed out, was signed out elsewhere, or the session
 * has expired or was idle; the check for an existing session failed, or the server has not confirmed a sign-out. In the last two cases
 * a button tries again. A first visit gets no note. After a sign-out or an expiry the first input gets the focus.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * <LoginForm />
 */
export function LoginForm({
  fields,
  onSubmit,
  onSuccess,
  title,
  links,
  remember = false,
  renderError,
  getFieldErrors,
  label,
  labels: overrides,
  className,
}: LoginFormProps): ReactNode {
  const { status, login, logout, refresh, reason, unconfirmed } = useAuth();
  const labels = useWidgetLabels(overrides);
  const noteId = useId();
  const texts = { restore: labels.notRestored, logout: labels.logoutUnconfirmed };
  const retries = { restore: refresh, logout };
  // A second logout would end a locked session, and what the user has typed would be lost.
  const retry = unconfirmed && status !== 'locked' ? retries[unconfirmed] : undefined;
  const unconfirmedNote = unconfirmed && { text: texts[unconfirmed], retry };
  const reasons = {
    'signed-out': labels.signedOut,
    expired: labels.sessionExpired,
    elsewhere: labels.signedOutElsewhere,
    idle: labels.signedOutIdle,
  };
  // While locked, the dialog says it.
  const reasonNote = reason && status !== 'locked' && { text: reasons[reason] };
  const note = (reason === 'expired' ? reasonNote : (unconfirmedNote ?? reasonNote)) || undefined;
  const inputs = fields ?? [
    { name: 'username', label: labels.username, autoComplete: 'username', required: true },
    { name: 'password', label: labels.password, type: 'password', autoComplete: 'current-password', required: true },
  ];
  return (
    <FieldsForm
      className={['dca-login', className].filter(Boolean).join(' ')}
      label={label ?? labels.signIn}
      fields={remember ? [...inputs, { name: 'remember', label: labels.remember, type: 'checkbox' }] : inputs}
      submitLabel={labels.signIn}
      pendingLabel={labels.signingIn}
      labels={labels}
      resetOnSuccess
      // Of two inputs, which are both required, a mark says nothing.
      marksRequired={false}
      describe={(error, serverMessage) => describeLoginError(error, serverMessage, labels)}
      renderError={renderError}
      getFieldErrors={getFieldErrors}
      title={title === undefined ? labels.signInTitle : title}
      note={note && <LoginNote id={noteId} labels={labels} {...note} />}
      noteId={note && noteId}
      links={links}
      autoFocus={reason !== undefined}
      onSubmit={values => (onSubmit ?? login)(values)}
      onSuccess={() => onSuccess?.()}
    />
  );
}

interface LoginNoteProps {
  id: string;
  text: string;
  /** Sends the unconfirmed request again. @default no button */
  retry?: (() => Promise<unknown>) | undefined;
  labels: WidgetLabels;
}

/** Says why the login form is shown. */
function LoginNote({ id, text, retry, labels }: LoginNoteProps): ReactNode {
  const { pending, run } = useAsyncAction();
  const [failures, setFailures] = useState(0);
  const showsPending = useDelayedFlag(pending);

  if (!retry) {
    return (
      <p role="status" className="dca-note" id={id}>
        {text}
      </p>
    );
  }
  const tryAgain = () => void run(retry).catch(() => setFailures(count => count + 1));
  return (
    <div className="dca-note dca-unconfirmed" aria-busy={pending}>
      <p role="status" id={id}>
        {/* A new element after each failure: screen readers then announce the same sentence again. */}
        <span key={failures}>{text}</span>
      </p>
      {/* Not `disabled`: a disabled button loses the focus. */}
      <button
        type="button"
        className="dca-button"
        aria-disabled={showsPending}
        onClick={pending ? undefined : tryAgain}
      >
        {showsPending ? labels.retrying : labels.retry}
      </button>
    </div>
  );
}

/** The text for a failed sign-in, for the user of the app. `serverMessage` is the server's own, if it sent one. */
export function describeLoginError(error: Error, serverMessage: string | undefined, labels: WidgetLabels): string {
  if (getErrorStatus(error) === 401) return labels.wrongLogin;
  if (error instanceof ChallengeCancelledError) return labels.failure(error, serverMessage);
  const isForDevelopers = ['unexpected', 'unreadable', 'canceled'].includes(failureKind(error));
  // A 404 without a message is about the address of the login, not about something that the user asked for.
  if (getErrorStatus(error) === 404) return serverMessage ?? labels.loginFailed;
  return isForDevelopers ? labels.loginFailed : labels.failure(error, serverMessage);
}

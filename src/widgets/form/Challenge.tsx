import { useId, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { getOrCreate } from '../../getOrCreate.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useChallenges } from '../../providers/useChallenge.js';
import type { OpenChallenge } from '../../stepUp/challenge.js';
import type { AuthChallenge } from '../../session/mechanism.js';
import { getErrorStatus } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { FieldsForm } from './FieldsForm.js';
import type { FormField } from './FormField.js';

export interface ChallengeProps {
  /**
   * The inputs for a challenge; their values go to `answer`. Undefined: the default of its kind.
   * @default `code` for a login, `password` for `insufficient_user_authentication`, none for other kinds and where an SDK asks the user
   */
  fields?: ((challenge: AuthChallenge) => readonly FormField[] | undefined) | undefined;
  /** The heading, which names the dialog. @default the label `challengeTitle` */
  title?: ((challenge: AuthChallenge) => ReactNode) | undefined;
  /** Shown below the heading, and read with it: why the server asks, where the code was sent to. @default nothing */
  children?: ((challenge: AuthChallenge) => ReactNode) | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-challenge`. */
  className?: string | undefined;
}

/**
 * Asks the user what the server wants to know before it goes on: a password, a code. A modal dialog, shown while a challenge is open, also
 * for the second factor of a login. Put it once below the provider, outside of any form and of `<Authenticated>`.
 *
 * The focus goes into the first input, and back when the dialog closes. A wrong answer is announced, and the dialog stays. Escape and
 * "Cancel" reject what waits. It stores nothing that the user types.
 *
 * @throws TypeError when the session has no `stepUp()`.
 * @example
 * <TokenAuthProvider session={session}>
 *   <App />
 *   <Challenge />
 * </TokenAuthProvider>
 */
export function Challenge({ labels: overrides, ...props }: ChallengeProps): ReactNode {
  const { subscribe, getSnapshot, isAnsweredBySdk } = useChallenges('<Challenge>');
  const open = useSyncExternalStore(subscribe, getSnapshot, () => undefined);
  const labels = useWidgetLabels(overrides);
  return open && <Dialog key={keyOf(open)} open={open} labels={labels} isAnsweredBySdk={isAnsweredBySdk} {...props} />;
}

interface DialogProps extends Omit<ChallengeProps, 'labels'> {
  open: OpenChallenge;
  labels: WidgetLabels;
  isAnsweredBySdk: boolean;
}

function Dialog({ open, labels, isAnsweredBySdk, fields, title, children, className }: DialogProps) {
  const { challenge, answer, cancel } = open;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useBeforePaint(() => {
    const element = dialog.current;
    if (!element?.open) element?.showModal();
    if (!element?.querySelector('.dca-input')) element?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    // Only a dialog that is closed before it is removed gives the focus back.
    return () => element?.close();
  }, []);
  const shown = fields?.(challenge) ?? (isAnsweredBySdk ? [] : defaultFields(challenge, labels));
  return (
    <dialog
      ref={dialog}
      className={['dca-challenge', className].filter(Boolean).join(' ')}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      // StrictMode closes and opens it: the event of that comes when it is open again.
      onClose={({ currentTarget }) => currentTarget.open || cancel()}
    >
      <FieldsForm
        className="dca-form"
        label={undefined}
        note={
          <>
            <h2 id={id} className="dca-title">
              {title?.(challenge) ?? labels.challengeTitle}
            </h2>
            <div id={`${id}-text`}>{children?.(challenge)}</div>
          </>
        }
        fields={shown}
        labels={labels}
        submitLabel={labels.continue}
        pendingLabel={labels.continuing}
        marksRequired={false}
        describe={(error, serverMessage) => describeWrongAnswer(error, serverMessage, labels)}
        onSubmit={values => answer(values)}
        actions={
          <button type="button" className="dca-button" onClick={cancel}>
            {labels.cancel}
          </button>
        }
      />
    </dialog>
  );
}

/** A pasted code is fine, and a password manager fills the inputs (WCAG 3.3.8). */
function defaultFields({ kind, isLogin }: AuthChallenge, labels: WidgetLabels): readonly FormField[] {
  if (isLogin) return [{ name: 'code', label: labels.code, autoComplete: 'one-time-code', required: true }];
  if (kind !== 'insufficient_user_authentication') return [];
  return [
    { name: 'password', label: labels.password, type: 'password', autoComplete: 'current-password', required: true },
  ];
}

/** Statuses by which servers refuse a wrong password or code. */
const REFUSALS = new Set([400, 401, 403, 422]);

function describeWrongAnswer(error: Error, serverMessage: string | undefined, labels: WidgetLabels): string {
  const isRefused = REFUSALS.has(getErrorStatus(error) ?? 0);
  return isRefused && serverMessage === undefined ? labels.wrongAnswer : labels.failure(error, serverMessage);
}

const keys = new WeakMap<AuthChallenge, number>();
let count = 0;

/** Another challenge is another form: nothing that was typed for one is sent for the next. */
function keyOf({ challenge }: OpenChallenge): number {
  return getOrCreate(keys, challenge, () => ++count);
}

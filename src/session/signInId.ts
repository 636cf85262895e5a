/** The digits of a time in milliseconds, for ten thousand years. */
const TIME_DIGITS = 15;

/**
 * An id for a sign-in of this moment: greater than each known one, as text, whatever the computer's clock says; and another one
 * than that of a sign-in in another tab in the same millisecond.
 */
export function newSignInId(now: number, ...known: readonly (string | undefined)[]): string {
  const timeOf = (id = '') => Number.parseInt(id, 10) || 0;
  const time = Math.max(now, ...known.map(id => timeOf(id) + 1));
  return `${String(Math.trunc(time)).padStart(TIME_DIGITS, '0')}-${Math.random().toString(36).slice(2)}`;
}

type Numbered = { readonly signInId?: string | undefined };

/** The id, also of a sign-in that was stored before there were ids: it is older than every other one. */
export const signInIdOf = ({ signInId = '' }: Numbered): string => signInId;

/** Whether the one sign-in was made after the other. A refresh changes nothing about that. */
export function isLaterSignIn(a: Numbered, b: Numbered): boolean {
  return signInIdOf(a) > signInIdOf(b);
}

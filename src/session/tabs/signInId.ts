/** The digits of a time in milliseconds, for ten thousand years. */
const TIME_DIGITS = 15;

/**
 * Creates an id for a new sign-in. As text it is greater than every known id, even if the system clock was set back. It
 * differs from the id of a sign-in in another tab in the same millisecond.
 */
export function newSignInId(now: number, ...known: readonly (string | undefined)[]): string {
  const timeOf = (id = '') => Number.parseInt(id, 10) || 0;
  const time = Math.max(now, ...known.map(id => timeOf(id) + 1));
  return `${String(Math.trunc(time)).padStart(TIME_DIGITS, '0')}-${Math.random().toString(36).slice(2)}`;
}

/** As `newSignInId` makes it. */
const SIGN_IN_ID = /* @__PURE__ */ new RegExp(`^\\d{${TIME_DIGITS}}-`);

/**
 * Returns the id of a sign-in that another page has stored or posted; undefined for anything else than an id. A text of another form could be
 * greater than the id of every later sign-in, so that no sign-in and no sign-out would count any more.
 */
export function parseSignInId(value: unknown): string | undefined {
  return typeof value === 'string' && SIGN_IN_ID.test(value) ? value : undefined;
}

/** Returns the lowest id of the same millisecond: below this id, and above the ids of all earlier sign-ins that the tab knew. */
export const justBefore = (id: string): string => id.slice(0, TIME_DIGITS + 1);

type Numbered = { readonly signInId?: string | undefined };

/** Returns the id of a sign-in. One that was stored without an id counts as older than all others. */
export const signInIdOf = ({ signInId = '' }: Numbered): string => signInId;

/** Returns true if `a` was made after `b`. A refresh does not change this. */
export function isLaterSignIn(a: Numbered, b: Numbered): boolean {
  return signInIdOf(a) > signInIdOf(b);
}

import { jwtClaims } from './jwtClaims.js';

/** The number of users to remember. The user not seen for the longest time is forgotten first. */
const MAX_USERS = 100;

/** The known tokens of one user. */
interface UserTokens {
  readonly sub?: string | undefined;
  /** The last token that is not a JWT with a `sub`. */
  readonly opaque?: string | undefined;
}

/**
 * Remembers which user the tokens of an SDK belong to. The SDK and the `subject` prop may change at different times.
 * The rule:
 *
 * 1. A `sub` belongs to the subject under which it was first seen, and each subject has one `sub`.
 * 2. After one `sub` was equal to its subject, every `sub` must be.
 * 3. A token that is not a JWT belongs to the last subject under which it was seen.
 *
 * Where the rule decides nothing (the first token of a user), the owner is `unknown`.
 */
export class TokenOwners {
  readonly #users = new Map<string, UserTokens>();
  #isSubTheSubject = false;

  /** Notes a user with this subject. */
  addUser(subject: string, tokens: UserTokens = this.#users.get(subject) ?? {}): void {
    this.#users.delete(subject);
    this.#users.set(subject, tokens);
    const [oldest] = this.#users.keys();
    if (this.#users.size > MAX_USERS) this.#users.delete(oldest!);
  }

  /** Notes that the token belongs to this subject. */
  addToken(token: string, subject: string): void {
    const { sub } = jwtClaims(token);
    if (sub === subject) this.#isSubTheSubject = true;
    this.addUser(subject, { ...this.#users.get(subject), ...(sub === undefined ? { opaque: token } : { sub }) });
  }

  /** Returns whether the token belongs to this subject. */
  ownerOf(token: string, subject: string): 'own' | 'other' | 'unknown' {
    const { sub } = jwtClaims(token);
    const others = [...this.#users].filter(([user]) => user !== subject);
    if (sub === undefined) return others.some(([, { opaque }]) => opaque === token) ? 'other' : 'own';
    if (sub === subject) return 'own';
    if (this.#isSubTheSubject) return 'other';
    const known = this.#users.get(subject)?.sub;
    if (known !== undefined) return sub === known ? 'own' : 'other';
    // This `sub` may belong to another known user whose `sub` we have not seen.
    const isOthers = others.some(([user, { sub: theirs = user }]) => theirs === sub);
    return isOthers ? 'other' : 'unknown';
  }
}

import { InvalidCredentialError, RefreshUnavailableError, SessionExpiredError } from '../errors.js';
import type { AnyMechanism } from './mechanism.js';
import type { MaybePromise } from './record.js';
import type { Store } from './store.js';

/**
 * Who may have changed a credential: an accepted answer to this page's own request, a refused one, which another page's sign-in may be the
 * reason of, or another page.
 */
export type ChangedBy = 'own' | 'refused' | 'elsewhere';

/**
 * A credential that lives outside the page (a cookie, the token of an SDK) may change without the session.
 *
 * @param isShared True if another user's page may have changed it.
 */
export function createOutside<C, U>(
  store: Store<C, U>,
  mechanism: AnyMechanism<C, U>,
  isShared: boolean,
  end: (reason: 'expired') => void,
) {
  /** The answer to the last check changed the CSRF cookie, so a change says nothing about who is signed in. */
  let changesAlways = false;

  const isSame = (a: C, b: C) => mechanism.isSame?.(a, b) ?? Object.is(a, b);

  /** Call it when a check is sent, and what it returns when the answer is there. */
  async function watchCheck(): Promise<() => Promise<void>> {
    const readNow = async () => mechanism.read?.(store.state.credential!);
    const before = isShared && store.state.status === 'authenticated' ? await readNow() : undefined;
    return async () => {
      const found = before && (await readNow());
      if (found) changesAlways = !isSame(found, before);
    };
  }

  /**
   * Takes over a changed credential. Undefined or false: it is the same.
   *
   * @throws InvalidCredentialError, SessionExpiredError when it is refused, RefreshUnavailableError
   */
  function read(by: ChangedBy): MaybePromise<boolean> | undefined {
    const { status, credential } = store.state;
    if (!mechanism.read || status !== 'authenticated') return undefined;
    // Only an answer of a server may have set a cookie.
    if (!isShared && by !== 'elsewhere') return undefined;
    try {
      const found = mechanism.read(credential!);
      if (!(found instanceof Promise)) return takeOver(found, credential!, by);
      return found.then(
        read => takeOver(read, credential!, by),
        (error: unknown) => fail(error, credential!),
      );
    } catch (error) {
      return fail(error, credential!);
    }
  }

  function takeOver(found: C | undefined, known: C, by: ChangedBy): boolean {
    const { status, credential, signIn } = store.state;
    if (status !== 'authenticated' || credential !== known) return true;
    if (found === undefined) {
      store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
      return true;
    }
    if (isSame(found, known)) return false;
    store.dispatch({ type: 'refreshed', signIn: signIn!, credential: found });
    // Also at an answer to this page: another page may have changed it meanwhile.
    if (isShared && (by === 'refused' || !changesAlways)) store.dispatch({ type: 'stale' });
    return true;
  }

  function fail(error: unknown, known: C): boolean {
    if (error instanceof InvalidCredentialError) throw error;
    // The user has signed in again since the credential was asked for.
    if (store.state.credential !== known) return true;
    if (!(error instanceof SessionExpiredError)) throw new RefreshUnavailableError(error);
    end('expired');
    throw error;
  }

  return { read, watchCheck };
}

export type Outside = ReturnType<typeof createOutside>;

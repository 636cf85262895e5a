import type { modelBrowser } from './modelBrowser.js';
import type { modelServer } from './modelServer.js';
import type { Engine } from './modelSessions.js';

const LEGAL = new Set([
  'restoring anonymous',
  'restoring authenticated',
  'restoring restoring',
  'anonymous authenticated',
  'anonymous anonymous',
  'authenticated anonymous',
  'authenticated authenticated',
  'authenticated locked',
  'locked authenticated',
  'locked anonymous',
  'locked locked',
]);

/** What only a page from the back/forward cache does. */
const LEGAL_WHEN_SHOWN_AGAIN = new Set(['authenticated restoring', 'anonymous restoring', 'locked restoring']);

const hasUser = (status: string) => status === 'authenticated' || status === 'locked';

/** Who is signed in, by the snapshot. */
export function personOf(engine: Engine): string {
  const { user } = engine.getSnapshot();
  return user?.id ?? user?.subject ?? 'nobody';
}

/** Subscribes to a session as a provider does, and notes every step that is none of the allowed; returns what unsubscribes. */
function watchSteps(
  engine: Engine,
  { broken }: ReturnType<typeof modelServer>,
  { isShowingAgain }: ReturnType<typeof modelBrowser>,
): () => void {
  let before = engine.getSnapshot();
  let person = personOf(engine);
  let generation = engine.getStoreGeneration();
  return engine.subscribe(() => {
    const after = engine.getSnapshot();
    const sameEpoch = after.epoch === before.epoch;
    const change = `${before.status} ${after.status}`;
    if (!LEGAL.has(change) && !(isShowingAgain() && LEGAL_WHEN_SHOWN_AGAIN.has(change)))
      broken.push(`${before.status} became ${after.status}`);
    if (after.epoch < before.epoch || after.epoch > before.epoch + 1) broken.push('the epoch jumped');
    const staysHere = hasUser(before.status) && hasUser(after.status);
    if (sameEpoch && before.status !== after.status && before.status !== 'restoring' && !staysHere)
      broken.push('the status changed within an epoch');
    if (sameEpoch && hasUser(before.status) && personOf(engine) !== person)
      broken.push('the person changed within an epoch');
    if (hasUser(after.status) !== (after.user !== undefined)) broken.push('the user does not fit the status');
    if (after.status === 'authenticated' && after.reason !== undefined)
      broken.push('there was a reason while somebody was signed in');
    if (after.status === 'locked' && engine.getCredential() !== undefined)
      broken.push('a locked session had a credential');
    if (after.status === 'locked' && (after.reason !== 'expired' || !sameEpoch))
      broken.push('a session was locked that had not expired');
    const hasLeft = engine.getStoreGeneration() !== generation;
    if (sameEpoch && hasLeft) broken.push('a store ended within an epoch');
    generation = engine.getStoreGeneration();
    before = after;
    person = personOf(engine);
  });
}

/** Notes every credential that a session gives up, be it mounted or not. */
function watchCredentials(engine: Engine, index: number, { replace, hold }: ReturnType<typeof modelServer>): void {
  const held = () => engine.getCredential()?.accessToken;
  let token = held();
  engine.subscribeToCredential(() => {
    const [given, next] = [token, held()];
    if (given !== undefined && given !== next) replace(index, given, () => held() === given);
    if (next !== undefined) hold(index, next);
    token = next;
  });
}

/** Notes what a session does against the promises, and returns what mounts it; that returns what unmounts it. */
export function watchSession(
  engine: Engine,
  index: number,
  server: ReturnType<typeof modelServer>,
  browser: ReturnType<typeof modelBrowser>,
): () => () => void {
  watchCredentials(engine, index, server);
  return () => watchSteps(engine, server, browser);
}

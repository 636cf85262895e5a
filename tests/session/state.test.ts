import { describe, expect, test } from 'vitest';
import {
  LogoutUnconfirmedError,
  RefreshUnavailableError,
  SessionExpiredError,
  SignedOutError,
} from '../../src/errors.js';
import {
  endReasonOf,
  initialState,
  NO_POSITION,
  transition,
  type SessionEvent,
  type State,
} from '../../src/session/state.js';

type Event = SessionEvent<string, { name: string }>;
type Known = State<string, { name: string }>;

const ada = { credential: 'ada-1', signIn: { subject: 'ada', user: { name: 'Ada' } } };
const grace = { credential: 'grace-1', signIn: { subject: 'grace', user: { name: 'Grace' } } };
const position = { id: '1', revision: 0 };
const failed = new RefreshUnavailableError();
const unconfirmed = new LogoutUnconfirmedError();

const restoring: Known = initialState('restoring');
const after = (...events: Event[]) => events.reduce<Known>((state, event) => transition(state, event), restoring);
const found: Event = { type: 'found', ...ada, position };
const signedIn = after(found);
const locked = transition(signedIn, { type: 'signed-out', reason: 'expired', locks: true });
const signedOut = transition(signedIn, { type: 'signed-out', reason: 'signed-out' });
const stale = transition(signedIn, { type: 'stale' });

/** Only the fields that a row names; a missing one is undefined. */
const fieldsOf = (state: Known, row: Partial<Known>) =>
  Object.fromEntries(Object.keys(row).map(key => [key, state[key as keyof Known]]));

const counts = ({ epoch, generation, version }: Known) => ({ epoch, generation, version });

describe.each<[name: string, before: Known, event: Event, after: Partial<Known>]>([
  [
    'the first check finds Ada: no new epoch',
    restoring,
    found,
    { status: 'authenticated', epoch: 0, generation: 0, version: 1 },
  ],
  [
    'the first check finds nobody',
    restoring,
    { type: 'found-no-user', reason: 'expired' },
    { status: 'anonymous', reason: undefined, epoch: 0, version: 0 },
  ],
  [
    'the first check gets no answer',
    restoring,
    { type: 'unchecked', error: failed },
    { status: 'anonymous', unconfirmed: 'restore', error: failed },
  ],
  [
    'a check finds the same user',
    stale,
    { type: 'found', ...ada },
    { status: 'authenticated', stale: false, epoch: 0, generation: 0, version: 2 },
  ],
  [
    'a check finds another user',
    stale,
    { type: 'found', ...grace },
    { signIn: grace.signIn, stale: false, epoch: 1, generation: 1 },
  ],
  [
    'a check finds nobody',
    stale,
    { type: 'found-no-user', reason: 'expired' },
    { status: 'anonymous', reason: 'expired', epoch: 1, generation: 1 },
  ],
  [
    'a check without an answer signs nobody out, and stays due',
    stale,
    { type: 'unchecked', error: failed },
    { status: 'authenticated', stale: true },
  ],
  [
    'a login of the same user',
    signedIn,
    { type: 'signed-in', ...ada, credential: 'ada-2' },
    { credential: 'ada-2', epoch: 0, generation: 0 },
  ],
  [
    'a login of another user',
    signedIn,
    { type: 'signed-in', ...grace },
    { signIn: grace.signIn, epoch: 1, generation: 1 },
  ],
  [
    'the same subject in another organization',
    signedIn,
    { type: 'signed-in', ...ada, signIn: { ...ada.signIn, tenant: 'globex' } },
    { epoch: 1, generation: 1 },
  ],
  ['a login from nobody keeps the store', signedOut, { type: 'signed-in', ...grace }, { epoch: 2, generation: 1 }],
  [
    'a refresh',
    signedIn,
    { type: 'refreshed', ...ada, credential: 'ada-2' },
    { credential: 'ada-2', epoch: 0, generation: 0, version: 2 },
  ],
  [
    'a refresh that comes after the sign-out',
    signedOut,
    { type: 'refreshed', ...ada },
    { status: 'anonymous', credential: undefined },
  ],
  ['a refresh of a stale page leaves it stale', stale, { type: 'refreshed', ...ada }, { stale: true }],
  [
    'a sign-out',
    signedIn,
    { type: 'signed-out', reason: 'signed-out' },
    { status: 'anonymous', signIn: undefined, credential: undefined, epoch: 1, generation: 1 },
  ],
  [
    'a lock keeps the user and the store',
    signedIn,
    { type: 'signed-out', reason: 'idle', locks: true },
    { status: 'locked', reason: 'idle', signIn: ada.signIn, credential: undefined, epoch: 0, generation: 0 },
  ],
  [
    'the same user unlocks',
    locked,
    { type: 'signed-in', ...ada },
    { status: 'authenticated', reason: undefined, epoch: 0, generation: 0 },
  ],
  [
    'another user unlocks',
    locked,
    { type: 'signed-in', ...grace },
    { status: 'authenticated', epoch: 1, generation: 1 },
  ],
  [
    'the end of a lock',
    locked,
    { type: 'signed-out', reason: 'signed-out' },
    { status: 'anonymous', reason: 'signed-out', epoch: 1, generation: 1 },
  ],
  ['a failed logout', signedOut, { type: 'failed', error: unconfirmed }, { error: unconfirmed, unconfirmed: 'logout' }],
  ['a failed login', signedOut, { type: 'failed', error: failed }, { error: failed, unconfirmed: undefined }],
  ['nobody is never stale', signedOut, { type: 'stale' }, { stale: false }],
  [
    'a frozen page is shown again',
    signedIn,
    { type: 'reset', status: 'restoring', because: failed },
    { status: 'restoring', position: NO_POSITION, epoch: 1, generation: 1 },
  ],
  [
    'a frozen page of nobody mounts its tree again',
    signedOut,
    { type: 'reset', status: 'restoring', because: failed },
    { status: 'restoring', epoch: 2, generation: 2 },
  ],
])('%s', (_name, before, event, expected) => {
  test('makes the next state', () => {
    const next = transition(before, event);
    expect(fieldsOf(next, expected)).toEqual(expected);
    for (const count of ['epoch', 'generation', 'version'] as const)
      expect(counts(next)[count]).toBeGreaterThanOrEqual(counts(before)[count]);
  });
});

test('an unconfirmed logout stays unconfirmed until the server confirms it, or a user signs in', () => {
  const left = transition(signedOut, { type: 'failed', error: unconfirmed });
  const checked = transition(left, { type: 'found-no-user', reason: 'expired' });
  expect([checked.unconfirmed, transition(left, { type: 'unchecked', error: failed }).unconfirmed]).toEqual([
    'logout',
    'logout',
  ]);
  const gone = { unconfirmed: undefined, error: undefined };
  expect(fieldsOf(transition(left, { type: 'logout-confirmed' }), gone)).toEqual(gone);
  expect(fieldsOf(transition(left, { type: 'signed-in', ...grace }), gone)).toEqual(gone);
});

test('an event that changes nothing returns the same state', () => {
  expect(transition(signedOut, { type: 'signed-out', reason: 'expired' })).toBe(signedOut);
  expect(transition(locked, { type: 'signed-out', reason: 'idle', locks: true })).toBe(locked);
  expect(transition(stale, { type: 'stale' })).toBe(stale);
  expect(transition(signedOut, { type: 'refreshed', ...ada })).toBe(signedOut);
});

test('requests of an ended epoch reject with the reason of its end', () => {
  const because = Object.assign(new SessionExpiredError(), { response: new Response(null, { status: 401 }) });
  expect(endReasonOf({ type: 'signed-out', reason: 'expired', because })).toBe(because);
  expect(endReasonOf({ type: 'found-no-user', reason: 'expired' })).toBeInstanceOf(SessionExpiredError);
  expect(endReasonOf({ type: 'signed-out', reason: 'elsewhere' })).toBeInstanceOf(SignedOutError);
  expect(endReasonOf({ type: 'signed-in', ...grace }).name).toBe('AbortError');
});

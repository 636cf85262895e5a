import { describe, expect, test } from 'vitest';
import { IdentityChangedError, LogoutUnconfirmedError, SessionExpiredError, SignedOutError } from '../../src/errors.js';
import { initialState, snapshotOf, type SessionState } from '../../src/session/state.js';
import type { SignOutReason } from '../../src/session/session.js';
import { epochEndReason, type SessionEvent } from '../../src/session/sessionEvent.js';
import { transition } from '../../src/session/transition.js';

type State = SessionState<string, { id: string }>;
type Event = SessionEvent<string, { id: string }>;

const ada = { credential: 'ada-1', user: { id: 'ada' }, subject: 'ada' };
const adaRenewed = { credential: 'ada-2', user: { id: 'ada' }, subject: 'ada' };
const grace = { credential: 'grace-1', user: { id: 'grace' }, subject: 'grace' };
const unnamed = { credential: 'x-1' };
const failure = new Error('offline');
const because = new Error('disposed');
const unknownLogout = new LogoutUnconfirmedError(failure);

const STATES: Record<State['status'] | 'unnamed' | 'unchecked' | 'unconfirmed' | 'unconfirmedLock', State> = {
  restoring: initialState('restoring'),
  anonymous: { ...initialState<string, { id: string }>('anonymous'), error: failure },
  unchecked: { ...initialState<string, { id: string }>('anonymous'), error: failure, unconfirmed: 'restore' },
  unconfirmed: { ...initialState<string, { id: string }>('anonymous'), error: failure, unconfirmed: 'logout' },
  authenticated: { ...initialState<string, { id: string }>('anonymous', ada), error: failure },
  unnamed: initialState('anonymous', unnamed),
  locked: transition(initialState<string, { id: string }>('anonymous', ada), {
    type: 'signed-out',
    reason: 'expired',
    locks: true,
  }),
  unconfirmedLock: {
    ...transition(initialState<string, { id: string }>('anonymous', ada), {
      type: 'signed-out',
      reason: 'idle',
      locks: true,
    }),
    error: failure,
    unconfirmed: 'logout',
  },
};

/** What an event does to a state: the status and user after it, and the counters that grew: e(poch), g(eneration), v(ersion). */
function describeStep(before: State, event: Event): string {
  const after = transition(before, event);
  if (after === before) return 'nothing';
  const grew = [
    ['e', after.epoch - before.epoch],
    ['g', after.storeGeneration - before.storeGeneration],
    ['v', after.credentialVersion - before.credentialVersion],
  ].flatMap(([name, by]) => (by === 0 ? [] : [by === 1 ? name : `${name}${by}`]));
  const who = after.signedIn?.subject ?? (after.signedIn ? 'unnamed' : after.reason);
  const unconfirmed = after.unconfirmed && `unconfirmed ${after.unconfirmed}`;
  return [after.status, who, grew.join(''), after.error?.message, unconfirmed].filter(Boolean).join(' ');
}

type Row = [name: string, event: Event, Record<keyof typeof STATES, string>];

const TABLE: Row[] = [
  [
    'ada signs in',
    { type: 'signed-in', signedIn: adaRenewed },
    {
      restoring: 'authenticated ada ev',
      anonymous: 'authenticated ada ev',
      unchecked: 'authenticated ada ev',
      unconfirmed: 'authenticated ada ev',
      authenticated: 'authenticated ada v',
      unnamed: 'authenticated ada egv',
      locked: 'authenticated ada v',
      unconfirmedLock: 'authenticated ada v',
    },
  ],
  [
    'grace signs in',
    { type: 'signed-in', signedIn: grace },
    {
      restoring: 'authenticated grace ev',
      anonymous: 'authenticated grace ev',
      unchecked: 'authenticated grace ev',
      unconfirmed: 'authenticated grace ev',
      authenticated: 'authenticated grace egv',
      unnamed: 'authenticated grace egv',
      locked: 'authenticated grace egv',
      unconfirmedLock: 'authenticated grace egv',
    },
  ],
  [
    'a user without a name signs in',
    { type: 'signed-in', signedIn: unnamed },
    {
      restoring: 'authenticated unnamed ev',
      anonymous: 'authenticated unnamed ev',
      unchecked: 'authenticated unnamed ev',
      unconfirmed: 'authenticated unnamed ev',
      authenticated: 'authenticated unnamed egv',
      unnamed: 'authenticated unnamed egv',
      locked: 'authenticated unnamed egv',
      unconfirmedLock: 'authenticated unnamed egv',
    },
  ],
  [
    'ada is found',
    { type: 'restored', signedIn: adaRenewed },
    {
      restoring: 'authenticated ada v',
      anonymous: 'authenticated ada ev',
      unchecked: 'authenticated ada ev',
      unconfirmed: 'authenticated ada ev',
      authenticated: 'authenticated ada v',
      unnamed: 'authenticated ada egv',
      locked: 'authenticated ada v',
      unconfirmedLock: 'authenticated ada v',
    },
  ],
  [
    'grace is found',
    { type: 'restored', signedIn: grace },
    {
      restoring: 'authenticated grace v',
      anonymous: 'authenticated grace ev',
      unchecked: 'authenticated grace ev',
      unconfirmed: 'authenticated grace ev',
      authenticated: 'authenticated grace egv',
      unnamed: 'authenticated grace egv',
      locked: 'authenticated grace egv',
      unconfirmedLock: 'authenticated grace egv',
    },
  ],
  [
    'no user is found',
    { type: 'restored', signedIn: undefined },
    {
      restoring: 'anonymous',
      anonymous: 'anonymous',
      unchecked: 'anonymous',
      unconfirmed: 'nothing',
      authenticated: 'anonymous expired egv',
      unnamed: 'anonymous expired egv',
      locked: 'nothing',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'no user is found, with a lock',
    { type: 'restored', signedIn: undefined, locks: true },
    {
      restoring: 'anonymous',
      anonymous: 'anonymous',
      unchecked: 'anonymous',
      unconfirmed: 'nothing',
      authenticated: 'locked expired v',
      unnamed: 'anonymous expired egv',
      locked: 'nothing',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'the check fails',
    { type: 'restored', signedIn: undefined, error: because },
    {
      restoring: 'anonymous disposed unconfirmed restore',
      anonymous: 'anonymous disposed unconfirmed restore',
      unchecked: 'anonymous disposed unconfirmed restore',
      unconfirmed: 'nothing',
      authenticated: 'nothing',
      unnamed: 'nothing',
      locked: 'locked expired disposed',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'the credential is replaced',
    { type: 'credential-replaced', signedIn: adaRenewed },
    {
      restoring: 'nothing',
      anonymous: 'nothing',
      unchecked: 'nothing',
      unconfirmed: 'nothing',
      authenticated: 'authenticated ada v offline',
      unnamed: 'authenticated ada v',
      locked: 'nothing',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'the user signs out',
    { type: 'signed-out', reason: 'signed-out' },
    {
      restoring: 'anonymous signed-out ev',
      anonymous: 'nothing',
      unchecked: 'nothing',
      unconfirmed: 'nothing',
      authenticated: 'anonymous signed-out egv',
      unnamed: 'anonymous signed-out egv',
      locked: 'anonymous signed-out egv',
      unconfirmedLock: 'anonymous signed-out egv offline unconfirmed logout',
    },
  ],
  [
    'the server refuses',
    { type: 'signed-out', reason: 'expired' },
    {
      restoring: 'anonymous expired ev',
      anonymous: 'nothing',
      unchecked: 'nothing',
      unconfirmed: 'nothing',
      authenticated: 'anonymous expired egv',
      unnamed: 'anonymous expired egv',
      locked: 'anonymous expired egv',
      unconfirmedLock: 'anonymous expired egv offline unconfirmed logout',
    },
  ],
  [
    'the server refuses, and the session locks',
    { type: 'signed-out', reason: 'expired', locks: true },
    {
      restoring: 'anonymous expired ev',
      anonymous: 'nothing',
      unchecked: 'nothing',
      unconfirmed: 'nothing',
      authenticated: 'locked expired v',
      unnamed: 'anonymous expired egv',
      locked: 'nothing',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'another tab says that the session has expired',
    { type: 'end-explained', reason: 'expired' },
    {
      restoring: 'nothing',
      anonymous: 'nothing',
      unchecked: 'nothing',
      unconfirmed: 'nothing',
      authenticated: 'nothing',
      unnamed: 'nothing',
      locked: 'nothing',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'a login fails',
    { type: 'failed', error: because },
    {
      restoring: 'restoring disposed',
      anonymous: 'anonymous disposed',
      unchecked: 'anonymous disposed unconfirmed restore',
      unconfirmed: 'anonymous disposed unconfirmed logout',
      authenticated: 'authenticated ada disposed',
      unnamed: 'authenticated unnamed disposed',
      locked: 'locked expired disposed',
      unconfirmedLock: 'locked idle disposed unconfirmed logout',
    },
  ],
  [
    'a logout fails',
    { type: 'failed', error: unknownLogout },
    {
      restoring: `restoring ${unknownLogout.message}`,
      anonymous: `anonymous ${unknownLogout.message} unconfirmed logout`,
      unchecked: `anonymous ${unknownLogout.message} unconfirmed logout`,
      unconfirmed: `anonymous ${unknownLogout.message} unconfirmed logout`,
      authenticated: `authenticated ada ${unknownLogout.message}`,
      unnamed: `authenticated unnamed ${unknownLogout.message}`,
      locked: `locked expired ${unknownLogout.message} unconfirmed logout`,
      unconfirmedLock: `locked idle ${unknownLogout.message} unconfirmed logout`,
    },
  ],
  [
    'a logout fails after the next call',
    { type: 'logout-unconfirmed' },
    {
      restoring: 'nothing',
      anonymous: 'anonymous offline unconfirmed logout',
      unchecked: 'anonymous offline unconfirmed logout',
      unconfirmed: 'nothing',
      authenticated: 'nothing',
      unnamed: 'nothing',
      locked: 'locked expired unconfirmed logout',
      unconfirmedLock: 'nothing',
    },
  ],
  [
    'a logout is confirmed',
    { type: 'logout-confirmed' },
    {
      restoring: 'nothing',
      anonymous: 'nothing',
      unchecked: 'anonymous',
      unconfirmed: 'anonymous',
      authenticated: 'nothing',
      unnamed: 'nothing',
      locked: 'nothing',
      unconfirmedLock: 'locked idle',
    },
  ],
  [
    'it forgets, and can check',
    { type: 'reset', status: 'restoring', because },
    {
      restoring: 'restoring ev',
      anonymous: 'restoring egv',
      unchecked: 'restoring egv',
      unconfirmed: 'restoring egv',
      authenticated: 'restoring egv',
      unnamed: 'restoring egv',
      locked: 'restoring egv',
      unconfirmedLock: 'restoring egv',
    },
  ],
  [
    'it forgets, and cannot check',
    { type: 'reset', status: 'anonymous', because },
    {
      restoring: 'anonymous ev',
      anonymous: 'anonymous ev',
      unchecked: 'anonymous ev',
      unconfirmed: 'anonymous ev',
      authenticated: 'anonymous egv',
      unnamed: 'anonymous egv',
      locked: 'anonymous egv',
      unconfirmedLock: 'anonymous egv',
    },
  ],
];

describe.each(TABLE)('%s', (_name, event, steps) => {
  test.each(Object.entries(steps))('while %s: %s', (status, step) => {
    const before = STATES[status as keyof typeof STATES];
    const copy = structuredClone({ ...before, error: undefined });
    expect(describeStep(before, event)).toBe(step);
    expect({ ...before, error: undefined }).toEqual(copy);
  });
});

test.each<[Event, new () => Error]>([
  [{ type: 'signed-in', signedIn: grace }, IdentityChangedError],
  [{ type: 'signed-out', reason: 'signed-out' }, SignedOutError],
  [{ type: 'signed-out', reason: 'elsewhere' }, SignedOutError],
  [{ type: 'signed-out', reason: 'expired' }, SessionExpiredError],
])('%o ends an epoch with its own error', (event, type) => {
  expect(epochEndReason(event).constructor).toBe(type);
});

test('a reset ends the epoch with the error that it was given', () => {
  expect(epochEndReason({ type: 'reset', status: 'anonymous', because })).toBe(because);
});

test('a check that finds no user once more changes nothing', () => {
  const nobody = initialState<string, { id: string }>('anonymous');
  expect(transition(nobody, { type: 'restored', signedIn: undefined })).toBe(nobody);
});

test('a snapshot has no credential', () => {
  expect(snapshotOf(STATES.authenticated)).toEqual({
    status: 'authenticated',
    reason: undefined,
    user: { id: 'ada' },
    epoch: 0,
    error: failure,
  });
});

test('a locked session has its user, and no credential', () => {
  expect(snapshotOf(STATES.locked)).toMatchObject({ status: 'locked', reason: 'expired', user: { id: 'ada' } });
  expect(STATES.locked.signedIn).toBeUndefined();
  expect(JSON.stringify(STATES.locked)).not.toContain(ada.credential);
});

test('another tab’s message explains an end that was found in the storage, and no other end', () => {
  const afterEnd = (reason: SignOutReason) =>
    transition(transition(STATES.authenticated, { type: 'signed-out', reason }), {
      type: 'end-explained',
      reason: 'expired',
    }).reason;
  expect(afterEnd('elsewhere')).toBe('expired');
  expect(afterEnd('signed-out')).toBe('signed-out');
  expect(afterEnd('idle')).toBe('idle');
});

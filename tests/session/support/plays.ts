import type { Play } from './model.js';

const DEFAULTS = { variant: false, locks: false, restores: false, random: 0, latencies: [] };
/** A cookie session with a CSRF token. */
const WITH_CSRF = { ...DEFAULTS, scenario: 'cookie', variant: true } as const;

/** A page is shown again while its cookie login is under way, and the next login is called as the connection of the first one is lost. */
const shownDuringLogin: Play = {
  ...DEFAULTS,
  scenario: 'cookie',
  steps: [
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'show again', person: 'ada' }, 'and at once'],
    [{ type: 'login', session: 0, person: 'cy' }, ''],
    [{ type: 'answer', which: 1, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 1, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
  ],
};

/** A session is disposed of while its cookie login is under way, and the next login overtakes it on the server. */
const loginAfterDispose: Play = {
  ...DEFAULTS,
  scenario: 'cookie',
  steps: [
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'dispose', session: 0 }, ''],
    [{ type: 'login', session: 0, person: 'cy' }, ''],
    [{ type: 'answer', which: 1, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
  ],
};

/** After a sign-out that the server has not confirmed, the user asks for a check; its answer finds a page that was shown again meanwhile. */
const checkedBeforeTheFreeze: Play = {
  ...DEFAULTS,
  scenario: 'cookie',
  steps: [
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'show again', person: 'ada' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'show again', person: null }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
  ],
};

/** After a sign-out that the server has not confirmed, a login is answered as the page is shown again, with the cookie of another user. */
const loginBeforeTheFreeze: Play = {
  ...DEFAULTS,
  scenario: 'cookie',
  steps: [
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: '503' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, 'and at once'],
    [{ type: 'show again', person: 'cy' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
  ],
};

/** Another page signs a user in between the call of `refresh()` and its request for a CSRF token, which then belongs to that user. */
const switchBeforeRefresh: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'answer', which: 1, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'refresh', session: 0 }, 'and at once'],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: true }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'lost' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'mount', session: 0 }, ''],
  ],
};

/** The same, and a request of the page is about to be sent while the CSRF token is fetched. */
const requestDuringRefresh: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'refresh', session: 0 }, 'and at once'],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, 'and at once'],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: true }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
  ],
};

/**
 * Another page signs a user in while a change is on its way, and this page's CSRF token is not in a cookie. The server refuses the change,
 * and the fresh CSRF token is that user's.
 */
export const switchDuringChange: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'wait', ms: 1 }, ''],
    [{ type: 'wait', ms: 1 }, ''],
    [{ type: 'wait', ms: 1 }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
  ],
};

/**
 * A change is refused because another page has signed a user in. It gives up while the CSRF token is fetched, and another change, which
 * waits for the token, is left to find out whose it is.
 */
const refusedChangeGivesUp: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'switch elsewhere', person: 'cy', isSeen: false }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'wait', ms: 1 }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
  ],
};

/**
 * A cookie login is lost as the next one is called. Its check was sent beside the next login, and could bring back the cookie that this
 * one replaces.
 */
const loginAsAnotherIsLost: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'switch elsewhere', person: 'cy', isSeen: false }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 1, outcome: '401' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 1, outcome: 'lost' }, 'and at once'],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 6, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 6, outcome: 'answered' }, ''],
    [{ type: 'dispose', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 1, outcome: '401' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 2, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 1, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'respond', session: 0, isRight: false }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
  ],
};

/** Two tabs that share a cookie. */
const SHARED_COOKIE = { ...DEFAULTS, scenario: 'cookie tabs' } as const;

/** A sign-out in one tab, after which the other one finds a user again; then the first one signs another user in. */
const foundAfterSignOut: Play = {
  ...SHARED_COOKIE,
  steps: [
    [{ type: 'logout', session: 1 }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'deliver', which: 0 }, ''],
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'show again', person: 'bob' }, ''],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'answer', which: 5, outcome: '401' }, ''],
    [{ type: 'answer', which: 2, outcome: 'kept' }, ''],
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 6, outcome: 'answered' }, ''],
    [{ type: 'deliver', which: 0 }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'expire', person: 'bob' }, ''],
  ],
};

/** A login whose answer cannot be read, and which another one has replaced that the server then refuses. */
const refusedAfterReplaced: Play = {
  ...SHARED_COOKIE,
  steps: [
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'show again', person: 'ada' }, ''],
    [{ type: 'answer', which: 7, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'login', session: 0, person: 'bob' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
  ],
};

/** An SDK gives the token of its cache while a fresh one is on its way, and the user signs in again after a mount. */
const cachedDuringRefresh: Play = {
  ...DEFAULTS,
  scenario: 'context',
  variant: true,
  steps: [
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'expire', person: 'ada' }, ''],
    [{ type: 'answer', which: 7, outcome: 'answered' }, 'and at once'],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'answer', which: 2, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'dispose', session: 0 }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
  ],
};

/** After a login that failed, the tab asks whose the cookie is, and the other tab signs in before the answer has come. */
const loginBeforeTheAnswer: Play = {
  ...SHARED_COOKIE,
  variant: true,
  steps: [
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'refresh', session: 1 }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: true }, ''],
    [{ type: 'answer', which: 2, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 2, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'lost' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'login', session: 1, person: 'cy' }, ''],
    [{ type: 'answer', which: 3, outcome: 'answered' }, ''],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'answer', which: 3, outcome: 'kept' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'deliver', which: 0 }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
  ],
};

/** Another page signs Ada in between the server's answer to a login and its arrival; a check that waits for the login finds her. */
const checkBehindLogin: Play = {
  ...SHARED_COOKIE,
  variant: true,
  steps: [
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'login', session: 1, person: 'cy' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'show again', person: 'ada' }, ''],
    [{ type: 'answer', which: 1, outcome: '401' }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
    [{ type: 'deliver', which: 0 }, ''],
    [{ type: 'dispose', session: 0 }, ''],
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
  ],
};

/** Another page signs out while a change is in its preflight. */
const goneDuringThePreflight: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
    [{ type: 'answer', which: 1, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 1, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'switch elsewhere', person: null, isSeen: true }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'wait', ms: 1 }, ''],
    [{ type: 'switch elsewhere', person: null, isSeen: false }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
  ],
};

/** A sign-out elsewhere leaves the CSRF token as it was before a login there that the page had not seen: the page cannot see either. */
const signOutAsBefore: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 5, outcome: 'answered' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'switch elsewhere', person: null, isSeen: true }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'switch elsewhere', person: null, isSeen: true }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
  ],
};

/** Sequences that have broken a promise once. */
/** A signed-out tab asks the server again while the other one finds and stores a user: the refusal of the first is no end of that user. */
const foundDuringCheck: Play = {
  ...DEFAULTS,
  scenario: 'tabs',
  variant: true,
  restores: true,
  steps: [
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
  ],
};

/** Another page has changed the cookie, which the answer to a request has shown, and then a login is refused: nobody knows who is signed in. */
const changedDuringLogin: Play = {
  ...WITH_CSRF,
  steps: [
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: true }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'switch elsewhere', person: 'ada', isSeen: false }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
  ],
};

export const plays: [Play][] = [
  [foundDuringCheck],
  [changedDuringLogin],
  [shownDuringLogin],
  [loginAfterDispose],
  [checkedBeforeTheFreeze],
  [loginBeforeTheFreeze],
  [switchBeforeRefresh],
  [requestDuringRefresh],
  [switchDuringChange],
  [refusedChangeGivesUp],
  [loginAsAnotherIsLost],
  [foundAfterSignOut],
  [refusedAfterReplaced],
  [cachedDuringRefresh],
  [loginBeforeTheAnswer],
  [checkBehindLogin],
  [goneDuringThePreflight],
  [signOutAsBefore],
];

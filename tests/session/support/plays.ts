import type { Play } from './model.js';

type Step = Play['steps'][number];

const personOf = (name: string | undefined) => (name === 'null' ? null : name);

/** A step in words: `answer 0 kept`, `login 1 ada`, `change 0`, `show ada`, and with `&` at its end in the tick of the next step. */
function stepOf(text: string): Step {
  const [what, which, more] = text.replace(' &', '').split(' ');
  const number = Number(which);
  const steps: Record<string, () => object> = {
    answer: () => ({ type: 'answer', which: number, outcome: more }),
    login: () => ({ type: 'login', session: number, person: more }),
    respond: () => ({ type: 'respond', session: number, isRight: more === 'right' }),
    read: () => ({ type: 'request', session: number, mutation: false, abortable: false, from: 'module' }),
    change: () => ({ type: 'request', session: number, mutation: true, abortable: false, from: 'module' }),
    wait: () => ({ type: 'wait', ms: number }),
    deliver: () => ({ type: 'deliver', which: number }),
    expire: () => ({ type: 'expire', person: which }),
    show: () => ({ type: 'show again', person: personOf(which) }),
    elsewhere: () => ({ type: 'switch elsewhere', person: personOf(which), isSeen: more === 'seen' }),
  };
  const step = steps[what!]?.() ?? { type: what, session: number };
  return [step, text.endsWith(' &') ? 'and at once' : ''] as Step;
}

const DEFAULTS = { variant: false, locks: false, restores: false, random: 0, latencies: [] };
/** A cookie session; with a CSRF token. */
const COOKIE = { ...DEFAULTS, scenario: 'cookie' } as const;
const WITH_CSRF = { ...COOKIE, variant: true } as const;
/** Two tabs that share a cookie. */
const SHARED_COOKIE = { ...DEFAULTS, scenario: 'cookie tabs' } as const;

const play = (setting: Omit<Play, 'steps'>, steps: string): Play => ({
  ...setting,
  steps: steps.trim().split(/,\s+/).map(stepOf),
});

/** A page is shown again while its cookie login is under way, and the next login is called as the connection of the first one is lost. */
const shownDuringLogin = play(
  COOKIE,
  `
  answer 0 401, answer 0 answered, answer 0 answered, login 0 ada, logout 0, show ada &, login 0 cy,
  answer 1 answered, answer 0 answered, answer 1 kept, answer 0 kept, change 0
  `,
);

/** A session is disposed of while its cookie login is under way, and the next login overtakes it on the server. */
const loginAfterDispose = play(
  COOKIE,
  `
  answer 0 answered, answer 0 401, login 0 ada, dispose 0, login 0 cy, answer 1 answered, answer 0 answered,
  answer 0 answered, answer 0 401, read 0, read 0
  `,
);

/** After a sign-out that the server has not confirmed, the user asks for a check; its answer finds a page that was shown again meanwhile. */
const checkedBeforeTheFreeze = play(
  COOKIE,
  `
  logout 0, wait 10000, show ada, refresh 0, answer 0 challenged, answer 0 answered, show null, read 0
  `,
);

/** After a sign-out that the server has not confirmed, a login is answered as the page is shown again, with the cookie of another user. */
const loginBeforeTheFreeze = play(
  COOKIE,
  `
  logout 0, answer 0 401, login 0 ada, answer 0 503, answer 0 challenged, answer 0 kept &, show cy, change 0,
  answer 0 401
  `,
);

/** Another page signs a user in between the call of `refresh()` and its request for a CSRF token, which then belongs to that user. */
const switchBeforeRefresh = play(
  WITH_CSRF,
  `
  answer 1 answered, answer 0 401, answer 0 kept, read 0, answer 0 answered, read 0, refresh 0 &,
  elsewhere ada seen, answer 0 answered, answer 0 lost, change 0, mount 0
  `,
);

/** The same, and a request of the page is about to be sent while the CSRF token is fetched. */
const requestDuringRefresh = play(
  WITH_CSRF,
  `
  answer 0 answered, answer 0 kept, answer 0 answered, refresh 0 &, change 0 &, elsewhere ada seen,
  answer 0 answered, answer 0 kept
  `,
);

/**
 * Another page signs a user in while a change is on its way, and this page's CSRF token is not in a cookie. The server refuses the change,
 * and the fresh CSRF token is that user's.
 */
export const switchDuringChange = play(
  WITH_CSRF,
  `
  answer 0 answered, answer 0 answered, answer 0 answered, wait 1, wait 1, wait 1, change 0, elsewhere ada unseen
  `,
);

/**
 * A change is refused because another page has signed a user in. It gives up while the CSRF token is fetched, and another change, which
 * waits for the token, is left to find out whose it is.
 */
const refusedChangeGivesUp = play(
  WITH_CSRF,
  `
  login 0 ada, answer 0 challenged, answer 0 kept, answer 0 answered, answer 0 answered, change 0, read 0,
  elsewhere cy unseen, answer 0 kept, answer 0 kept, answer 0 answered, answer 0 challenged, change 0,
  answer 0 answered, wait 10000, answer 0 challenged, change 0, wait 1, read 0, answer 0 kept
  `,
);

/**
 * A cookie login is lost as the next one is called. Its check was sent beside the next login, and could bring back the cookie that this
 * one replaces.
 */
const loginAsAnotherIsLost = play(
  WITH_CSRF,
  `
  elsewhere cy unseen, login 0 ada, answer 1 401, read 0, wait 10000, read 0, answer 1 lost &, login 0 ada,
  answer 0 kept, answer 6 answered, answer 6 answered, dispose 0, answer 0 401, answer 1 401, change 0,
  answer 2 answered, answer 1 kept, answer 0 401, answer 0 answered, respond 0 wrong, change 0,
  elsewhere ada unseen, read 0
  `,
);

/** A sign-out in one tab, after which the other one finds a user again; then the first one signs another user in. */
const foundAfterSignOut = play(
  SHARED_COOKIE,
  `
  logout 1, answer 0 kept, deliver 0, read 1, read 1, show bob, login 1 ada, answer 5 401, answer 2 kept, read 1,
  answer 6 answered, deliver 0, read 0, expire bob
  `,
);

/** A login whose answer cannot be read, and which another one has replaced that the server then refuses. */
const refusedAfterReplaced = play(
  SHARED_COOKIE,
  `
  answer 0 challenged, answer 0 kept, answer 0 challenged, show ada, answer 7 kept, answer 0 401, answer 0 401,
  login 0 bob, answer 0 answered, login 0 ada, answer 0 401, answer 0 401
  `,
);

/** An SDK gives the token of its cache while a fresh one is on its way, and the user signs in again after a mount. */
const cachedDuringRefresh = play(
  { ...DEFAULTS, scenario: 'context', variant: true },
  `
  login 0 ada, read 0, refresh 0, answer 0 challenged, answer 0 answered, expire ada, answer 7 answered &,
  login 1 ada, answer 2 kept, answer 0 answered, dispose 0, login 0 ada, answer 0 kept
  `,
);

/** After a login that failed, the tab asks whose the cookie is, and the other tab signs in before the answer has come. */
const loginBeforeTheAnswer = play(
  { ...SHARED_COOKIE, variant: true },
  `
  answer 0 answered, answer 0 challenged, answer 0 401, read 0, answer 0 challenged, read 1, refresh 1,
  login 0 ada, answer 0 kept, elsewhere ada seen, answer 2 answered, answer 2 answered, answer 0 lost,
  answer 0 401, login 1 cy, answer 3 answered, login 1 ada, answer 3 kept, read 0, answer 0 challenged,
  answer 0 answered, answer 0 answered, answer 0 answered, answer 0 kept, answer 0 answered, answer 0 401,
  answer 0 answered, read 0, deliver 0, login 0 ada
  `,
);

/** Another page signs Ada in between the server's answer to a login and its arrival; a check that waits for the login finds her. */
const checkBehindLogin = play(
  { ...SHARED_COOKIE, variant: true },
  `
  answer 0 kept, answer 0 answered, answer 0 kept, read 0, login 1 ada, answer 0 challenged, login 1 cy,
  answer 0 answered, answer 0 challenged, answer 0 answered, answer 0 challenged, answer 0 kept, show ada,
  answer 1 401, elsewhere ada unseen, deliver 0, dispose 0, read 1
  `,
);

/** Another page signs out while a change is in its preflight. */
const goneDuringThePreflight = play(
  WITH_CSRF,
  `
  elsewhere ada unseen, answer 1 challenged, answer 1 answered, answer 0 401, answer 0 answered,
  elsewhere null seen, elsewhere ada unseen, change 0, answer 0 kept, answer 0 kept, wait 1,
  elsewhere null unseen, login 0 ada, answer 0 answered, answer 0 kept, answer 0 401, answer 0 challenged
  `,
);

/** A sign-out elsewhere leaves the CSRF token as it was before a login there that the page had not seen: the page cannot see either. */
const signOutAsBefore = play(
  WITH_CSRF,
  `
  read 1, logout 0, answer 0 401, answer 0 answered, answer 5 answered, refresh 0, answer 0 answered,
  answer 0 challenged, elsewhere null seen, elsewhere ada unseen, answer 0 answered, answer 0 answered,
  answer 0 answered, answer 0 answered, answer 0 401, elsewhere null seen, change 0
  `,
);

/** A signed-out tab asks the server again while the other one finds and stores a user: the refusal of the first is no end of that user. */
const foundDuringCheck = play(
  { ...DEFAULTS, scenario: 'tabs', variant: true, restores: true },
  `
  answer 0 401, refresh 0, answer 0 answered, answer 0 401
  `,
);

/** Another page has changed the cookie, which the answer to a request has shown, and then a login is refused: nobody knows who is signed in. */
const changedDuringLogin = play(
  WITH_CSRF,
  `
  answer 0 challenged, change 0, answer 0 answered, answer 0 kept, login 0 ada, answer 0 kept, elsewhere ada seen,
  answer 0 401, answer 0 401, elsewhere ada unseen, answer 0 answered
  `,
);

/** Sequences that have broken a promise once. */
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

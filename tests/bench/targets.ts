/** A row of the table of targets. */
export interface Target {
  /** The name of the row in the result. */
  row: string;
  what: string;
  beside: string;
  toReach: string;
  /** How it is measured, in a sentence or two. */
  how: string;
  /** Why a check of the row is missed where it is, by the check's name. Shown only then. */
  why?: Record<string, string>;
}

export const TARGETS: readonly Target[] = [
  {
    row: 'rerender',
    what: '1,000 and 10,000 rows with three hooks each, re-render',
    beside: 'plain rows with three `useContext`; stock `hookifyResource`',
    toReach: 'at most 1.05 x the rows with three `useContext`',
    how: 'A parent renders its rows again, and nothing in the document changes. Each row takes three endpoints, has an effect that depends on them, and hands one to each of three memo buttons; a plain row takes the same three from constants. A hook that depends on a provider reads a context, so plain rows that read a context three times are the limit of any provider.',
    why: {
      '1,000 rows, beside three useContext':
        'A render of 1,000 rows takes 3 ms, and rounds differ by more than the kit adds: see the quartiles.',
      '10,000 rows, beside three useContext': 'Rounds differ by more than the kit adds: see the quartiles.',
    },
  },
  {
    row: 'below',
    what: 'memo children and effects re-run by that re-render',
    beside: 'stock',
    toReach: '0 (stock: all)',
    how: 'Counted in the same rows, during the re-render of 1,000 rows.',
  },
  {
    row: 'token',
    what: 're-renders of 1,000 rows at a refresh and at a `useAccessToken`-free token change',
    beside: 'stock context pattern',
    toReach: '0',
    how: 'The rows are memo components. The refresh is that of a session under `TokenAuthProvider`. The change is a new `token` prop of `ContextTokenProvider`. In the stock pattern both are a new value of its context.',
  },
  {
    row: 'request',
    what: 'one request’s added CPU time over a bare `RestEndpoint`',
    beside: 'bare',
    toReach: 'at most 5 %',
    how: 'CPU time of the page’s main thread for requests sent one after the other to a server that answers at once: the same endpoint, with a session and without one.',
    why: {
      'added CPU time':
        'The last line is what the browser itself takes for the header, the signal, `no-store` and the redirect that is not followed. The kit’s own work is the check of params and origin, the request scope, and the promises between: 2 to 5 µs of a request that takes 550 to 850 µs, where it is measured alone, with a transport that answers at once. Between requests to a server the same code is cold, and takes longer. No request makes an AbortController, a Headers object or a parsed address of its own.',
    },
  },
  {
    row: 'burst',
    what: 'burst: 200 requests meet an expired token; refreshes, calls, time to last result',
    beside: 'urql authExchange, the RTK Query mutex recipe, alova; the bound of three round trips',
    toReach: '1 refresh, 400 calls, at most 1.1 x the bound',
    how: 'The server counts refreshes and calls, and takes 10 ms for each answer. The bound is written by hand: 200 refused requests, then one refresh, then 200 answered requests, over the six connections that the browser allows.',
  },
  {
    row: 'unlucky',
    what: 'late 401, refusal with 200 waiting, persistent 401 for 2 s',
    beside: 'the same',
    toReach: '1 refresh; 200 settled; at most 400 calls',
    how: 'Late: the 401 of one request arrives 100 ms after another request was refused, refreshed and answered. Refusal: the refresh is refused too; a request is settled if it has an outcome within 5 s. Persistent: the server grants each refresh, and refuses 200 requests nevertheless. The worst round counts.',
  },
  {
    row: 'switch',
    what: 'switch of identity with 1,000 rows mounted, until B’s first row is seen',
    beside: 'plain remount',
    toReach: 'at most 1.15 x',
    how: 'The list of the other user is fetched from the server, normalized and rendered. The plain remount is a `CacheProvider` with another `key`, and an endpoint that reads its token from a variable.',
  },
  {
    row: 'append',
    what: 'append a page of 100 to 1,000, 10,000 and 100,000 rows in `PaginatedList`',
    beside: 'unvirtualized',
    toReach: 'at most 1.3 x the store’s own cost',
    how: 'CPU time of the page’s main thread from the press of the button until the list counts 100 rows more; the page is answered without a network. The store alone is read by a component that renders no row.',
    why: {
      'beside the store alone':
        'The list reads the store once, as the store alone does, and asks the new rows only for their keys. Nearly all of the rest is the same for any number of rows: React renders the rows that are in the document, because each says how many there are, and the browser lays them out. The virtualizer calculates the positions of all rows again, about 0.1 ms for 1,000 of them; its interface has no way to say that rows were only added. The garbage collector decides a run: the list allocates 7 % more than the store alone (5.1 MB beside 4.8 MB), and where that costs one more collection, a run takes 1.5 x, otherwise 1.2 x to 1.3 x. Tried without a measurable gain: to set `aria-setsize` without React, and not to update it.',
      '100,000 rows, beside the store alone':
        'What grows is the virtualizer: it calculates the positions of all rows again, and its interface has no way to say that rows were only added. All else walks over the new rows, or compares two lists by their objects.',
    },
  },
  {
    row: 'memory',
    what: 'memory after 10,000 requests, 1,000 switches of identity, 1,000 mounts of a provider',
    beside: 'data-client alone',
    toReach: 'the last tenth at most 1.05 x the first, and no listeners left',
    how: 'The heap after forced collections, and the listeners that are left. Each is done as often before the first look: code that is compiled takes memory, too. Requests go through the store, ten at a time, to 100 records. The kit switches by `login`, data-client alone by a `CacheProvider` with another `key`. The mounts are of a provider with one widget, under one session.',
    why: {
      '10,000 requests': 'See the line of data-client alone.',
      '1,000 switches of identity':
        'See the line of data-client alone. What is left is compiled code: after 4,000 switches the heap is the same as after 2,000.',
      '1,000 mounts of a provider': 'See the line of data-client alone.',
      'listeners after 10,000 requests': 'A leak: each holds what it calls.',
      'listeners after 1,000 switches of identity': 'A leak: each holds what it calls.',
      'listeners after 1,000 mounts of a provider': 'A leak: each holds what it calls.',
    },
  },
  {
    row: 'expiry',
    what: '1,000 mounted widgets meet one expiry: refreshes, calls, time until all show new data',
    beside: 'data-client alone, refreshed by hand',
    toReach: '1 refresh, at most 2,000 calls, at most 1.1 x',
    how: 'Each widget reads a record of its own. The server refuses their token, and the store is told that all has expired. By hand: 1,000 refused requests, one refresh, and then data-client reads again; without it, data-client alone would show 1,000 errors. The kit sends fewer calls: what has not been sent when the first refusal arrives waits for the refresh.',
    why: {
      'until all 1,000 widgets show new data':
        'The kit sends the requests again as they are refused, so answers arrive one by one, and each renders what reads the store.',
    },
  },
  {
    row: 'coldStart',
    what: 'the first row of a page that starts with a cookie, with and without `initial`',
    beside: 'data-client alone; the same after a whoami',
    toReach: 'at most 1.15 x each',
    how: 'From the first render to the first of 1,000 rows, with a server that takes 10 ms for each answer. Without `initial` the session asks who is signed in before the list is sent. The line beside it does so by hand.',
    why: {
      'with `initial`, beside data-client alone':
        'data-client sends a read when the browser is idle: 2 to 16 ms after the first render, with and without the kit. That decides a round. The time includes the making of a session, and its connection with other tabs.',
      'without `initial`, beside data-client after a whoami':
        'It includes the making of a session, and its connection with other tabs.',
    },
  },
  {
    row: 'docsPage',
    what: 'the first page of the static docs, with an empty cache',
    beside: 'the same page outside of Storybook’s window',
    toReach: '1.5 s',
    how: 'The built Storybook from a server on the same computer, uncompressed, in a new profile each time: from the start of the navigation to the heading of the demo app, which is the first page. The time is this machine’s. Outside of its window, Storybook loads no sidebar and no toolbar.',
    why: {
      'until the heading is there':
        'Storybook’s window is more than half of it: it starts before the page in its frame, and both share one thread, which works 1.3 s. Tried without a gain that can be measured: a sidebar with 2 entries instead of 767, one change of the theme less at the start, and the kit in one file instead of 60. The last one makes the page outside of the window faster by a quarter, and the page inside no faster.',
    },
  },
  {
    row: 'bytes',
    what: 'bytes added over data-client, gzip: one token provider; the three providers + hookify; everything',
    beside: 'react-oidc-context + oidc-client-ts, auth0-spa-js',
    toReach: '16 KB; 17 KB; 55 KB without the virtualizer',
    how: 'A minified production build of what is imported from the built package, without React and data-client; 1 KB is 1,024 bytes. A provider needs a session, so no app downloads the providers alone: the table has both. Below the sums are the ten largest modules of two of them, each minified and compressed alone.',
    why: {
      'one token provider, its session, resource, hookifyResource, useAuth':
        'The session is most of it. Locks, challenges, the clock and permissions are left out where they are not imported; the places in the session that wait for them are not. Tried: a build without the sentences of errors is 1.1 KB smaller, and keeps no remedy (decision 26).',
      'the three providers + hookifyResource':
        'Three fifths of it are the session: one refresh, replays, epochs, the lock between tabs, the check for an existing session. Mechanisms, endpoints and the part for data-client are a tenth each. The sentences of errors are 1.2 KB (decision 26).',
      'everything, without the virtualizer':
        'Widgets are two fifths of it, with forms, deletions, drafts, field errors, pages and labels; the session is a quarter, the mechanisms a seventh. The sentences of errors are 2.5 KB (decision 26). A bundler drops what is not imported.',
    },
  },
];

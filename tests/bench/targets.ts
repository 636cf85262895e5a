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
    beside: 'plain rows without hooks; stock `hookifyResource`',
    toReach: 'at most 1.15 x plain',
    how: 'A parent renders its rows again, and nothing in the document changes. Each row takes three endpoints, has an effect that depends on them, and hands one to each of three memo buttons; a plain row takes the same three from constants.',
    why: {
      '1,000 rows, beside plain ones':
        'Nearly all of it is React’s own cost. A hook that depends on a provider reads a context, and rows that only read a context three times take as long: see their line.',
      '10,000 rows, beside plain ones': 'The same: see the line of the rows with three `useContext`.',
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
        'About half of it is the browser’s, for a header, a signal and a redirect that is not followed: see the last line. The kit’s own work is the check of params and origin, the request scope, and the promises between.',
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
    what: 'append a page of 100 to 10,000 rows in `PaginatedList`',
    beside: 'unvirtualized',
    toReach: 'at most 1.3 x the store’s own cost',
    how: 'From the press of the button until the list counts 10,100 rows; the page is answered without a network. The store alone is read by a component that renders no row.',
    why: {
      'beside the store alone':
        'The list reads the store once, as the store alone does, and walks over the new rows only. The rest is the virtualizer, which lays out all rows again, and the rows in the document, which say their number.',
    },
  },
  {
    row: 'bytes',
    what: 'bytes added over data-client, gzip: providers + hookify; everything',
    beside: 'react-oidc-context + oidc-client-ts, auth0-spa-js',
    toReach: '5 KB; 12 KB without the virtualizer',
    how: 'A minified production build of what is imported, without React and data-client; 1 KB is 1,024 bytes. A provider needs a session, so no app downloads the providers alone: the table has both.',
    why: {
      'the three providers + hookifyResource':
        'A third of it is the session: one refresh, replays, epochs, the lock between tabs, timeouts. A quarter are the endpoints, which check params and send requests through the session.',
      'everything, without the virtualizer':
        'Nearly half of it are the widgets, with forms, deletions, drafts, field errors and labels. A fifth are the three mechanisms. A bundler drops what is not imported.',
    },
  },
];

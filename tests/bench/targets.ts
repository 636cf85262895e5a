/** A row of the table of targets. */
export interface Target {
  /** The name of the row in the result. */
  row: string;
  what: string;
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
    toReach: 'at most 1.05 x the rows with three `useContext`',
    how: 'A parent renders its rows again. Each row takes three endpoints, has an effect that depends on them, and hands them to three memo buttons; a plain row takes them from constants. Plain rows that read a context three times are the limit of any provider.',
    why: {
      '1,000 rows, beside three useContext':
        'A render of 1,000 rows takes 3 ms, and rounds differ by more than the kit adds: see the quartiles.',
      '10,000 rows, beside three useContext': 'Rounds differ by more than the kit adds: see the quartiles.',
    },
  },
  {
    row: 'below',
    what: 'memo children and effects re-run by that re-render',
    toReach: '0 (stock: all)',
    how: 'Counted in the same rows, during the re-render of 1,000 rows.',
  },
  {
    row: 'token',
    what: 're-renders of 1,000 rows at a refresh and at a token change',
    toReach: '0',
    how: 'The rows are memo components. In the stock pattern, both are a new value of its context.',
  },
  {
    row: 'request',
    what: 'one request’s added CPU time over a bare `RestEndpoint`',
    toReach: 'at most 5 %',
    how: 'CPU time of the main thread, for requests one after the other to a server that answers at once.',
    why: {
      'added CPU time':
        'The kit’s own work is the check of params and origin, the request scope, and the promises between: 2 to 5 µs where it is measured alone. Between requests to a server the same code is cold, and takes longer.',
    },
  },
  {
    row: 'burst',
    what: 'burst: 200 requests meet an expired token; refreshes, calls, time to last result',
    toReach: '1 refresh, 400 calls, at most 1.1 x the bound',
    how: 'The server takes 10 ms for each answer. The bound: 200 refused requests, one refresh, 200 answered requests, over six connections.',
  },
  {
    row: 'unlucky',
    what: 'late 401, refusal with 200 waiting, persistent 401 for 2 s',
    toReach: '1 refresh; 200 settled; at most 400 calls',
    how: 'Late: a 401 arrives 100 ms after another request was refreshed and answered. Refusal: the refresh is refused too; settled: an outcome within 5 s. Persistent: the server grants each refresh, and refuses 200 requests nevertheless. The worst round counts.',
  },
  {
    row: 'switch',
    what: 'switch of identity with 1,000 rows mounted, until B’s first row is seen',
    toReach: 'at most 1.15 x',
    how: 'The plain remount is a `CacheProvider` with another `key`.',
  },
  {
    row: 'append',
    what: 'append a page of 100 to 1,000, 10,000 and 100,000 rows in `PaginatedList`',
    toReach: 'at most 1.3 x the store’s own cost',
    how: 'CPU time of the main thread until the list counts 100 rows more. The store alone is read by a component that renders no row.',
    why: {
      'beside the store alone':
        'The list reads the store once, and asks the new rows only for their keys. React renders the rows that are in the document, because each says how many there are, and the virtualizer calculates all positions again. The garbage collector decides a run: the list allocates 7 % more than the store alone.',
      '100,000 rows, beside the store alone':
        'What grows is the virtualizer: it calculates the positions of all rows again.',
    },
  },
  {
    row: 'memory',
    what: 'memory after 10,000 requests, 1,000 switches of identity, 1,000 mounts of a provider',
    toReach: 'the last tenth at most 1.05 x the first, and no listeners left',
    how: 'The heap after forced collections, and the listeners that are left. Each is done as often before the first look, because compiled code takes memory, too.',
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
    toReach: '1 refresh, at most 2,000 calls, at most 1.1 x',
    how: 'Each widget reads a record of its own. By hand: 1,000 refused requests, one refresh, and then data-client reads again. The kit sends fewer calls: requests that are not yet sent at the first refusal wait for the refresh.',
    why: {
      'until all 1,000 widgets show new data':
        'The kit sends the requests again as they are refused, so answers arrive one by one, and each renders what reads the store.',
    },
  },
  {
    row: 'coldStart',
    what: 'the first row of a page that starts with a cookie, with and without `initial`',
    toReach: 'at most 1.15 x each',
    how: 'From the first render to the first of 1,000 rows, with a server that takes 10 ms for each answer.',
    why: {
      'with `initial`, beside data-client alone':
        'data-client sends a read when the browser is idle, 2 to 16 ms after the first render: that decides a round.',
      'without `initial`, beside data-client after a whoami':
        'It includes the making of a session, and its connection with other tabs.',
    },
  },
  {
    row: 'docsPage',
    what: 'the first page of the static docs, with an empty cache',
    toReach: '1.5 s',
    how: 'The built Storybook, uncompressed, in a new profile each time: from the start of the navigation to the first heading.',
    why: {
      'until the heading is there':
        'Storybook’s window is more than half of it: it starts before the page in its frame, and both share one thread.',
    },
  },
  {
    row: 'bytes',
    what: 'bytes added over data-client, gzip: one token provider; /live; /files; the three providers + hookify; everything',
    toReach: '16 KB; 2.5 KB each; 17 KB; 55 KB without the virtualizer',
    how: 'A minified production build, without React and data-client; 1 KB is 1,024 bytes.',
    why: {
      'one token provider, its session, resource, hookifyResource, useAuth':
        'Every app loads the whole session. The largest files are above.',
      'what /files adds to it':
        'Each of its parts alone is less: an image 0.9 KB, an upload 1.1 KB, a download with its name and its stream to the disk 1.7 KB.',
      'the three providers + hookifyResource': 'Every app loads the whole session.',
      'everything, without the virtualizer': 'Every app loads the whole session. The largest files are above.',
    },
  },
];

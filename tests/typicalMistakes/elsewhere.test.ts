// Mistakes that take a store, a browser or a compiler: which test makes each of them.
import { testMistakesElsewhere } from './support/mistakes.js';

testMistakesElsewhere([
  {
    mistake: 'an API on another origin that allows no page of this one',
    provenBy: 'tests/browser/typicalMistakes.test.ts',
    says: 'got no answer. If that server is running, it does not allow this page to send the request (CORS).',
  },
  {
    mistake: 'a plain endpoint where nothing above has a <Suspense>',
    provenBy: 'tests/browser/typicalMistakes.test.ts',
    says: 'Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource)',
  },
  {
    mistake: 'a plain endpoint below a provider: useSuspense(ArticleResource.get, …)',
    provenBy: 'tests/dataClient/storeManagers.test.ts',
    says: 'Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource)',
  },
  {
    mistake: 'an endpoint of data-client itself below a provider: createResource, RestEndpoint of @data-client/rest',
    provenBy: 'tests/dataClient/storeManagers.test.ts',
    says: 'was answered with 401, which ends the session. Its endpoint is not of the kit, so the session has attached no credentials. Make it with resource() or RestEndpoint of data-client-auth',
  },
  {
    mistake: 'React 19 with a data-client that is too old',
    provenBy: 'tests/dataClient/assertElementsFit.test.ts',
    says: 'The installed @data-client/react creates elements that the installed React refuses. React 19 needs @data-client/react and @data-client/rest 0.18: update them, or install React 18.',
  },
  {
    mistake: 'a class without a `key` in a question about permissions',
    provenBy: 'tests/permissions/permissions.test.ts',
    says: 'whose name a production build may shorten, so the server would not know it.',
  },
  {
    mistake: '`managers` that throw',
    provenBy: 'tests/dataClient/hostedManagers.test.ts',
    says: 'The `managers` of a provider have thrown an error, so they do not run for this user.',
  },
  {
    mistake: '`managers` as data-client takes them: an array',
    provenBy: 'tests/providers/managersProp.test.tsx',
    says: '`managers` has to be a function that returns an array: managers={() => [new YourManager()]}.',
  },
  {
    mistake: 'a session that a component makes at each render',
    provenBy: 'tests/browser/typicalMistakes.test.ts',
    says: 'A provider has got another session, as when a component makes one at each render, or hot updates load its module again: tokens in memory are lost, and everything below is mounted again. Make the session once, outside of components. If you change sessions on purpose, give the provider a `key`.',
  },
  {
    mistake: 'a PaginatedList whose server does not say how to get the next page',
    provenBy: 'tests/browser/typicalMistakes.test.ts',
    says: 'answered an object with results, total, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its `next` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.',
  },
  {
    mistake: 'a ResourceList of a server that sends pages',
    provenBy: 'tests/browser/typicalMistakes.test.ts',
    says: 'ResourceList shows the first page of GET /memo: the response says that there are more rows. Use PaginatedList, or ask for the number of rows that you want to show.',
  },
  {
    mistake: 'a detail of a record that a list has brought in part',
    provenBy: 'tests/browser/partialRecords.test.ts',
    says: '<ResourceDetail> shows a record that another response has brought',
  },
  {
    mistake: 'a wrong password',
    provenBy: 'stories/proofs/LoginForm.stories.tsx',
    says: 'The user name or the password is wrong.',
    inReference: false,
  },
  {
    mistake: 'a name in `renderItem` that the entity does not have',
    provenBy: 'tests/types/widgets.test-d.tsx',
    says: '@ts-expect-error no such field of the row',
    inReference: false,
  },
  {
    mistake: 'a field of a form that the entity does not have',
    provenBy: 'tests/types/widgets.test-d.tsx',
    says: '@ts-expect-error no such field to create with',
    inReference: false,
  },
  {
    mistake: '`fields` outside of the JSX without `as const`',
    provenBy: 'tests/types/widgets.test-d.tsx',
    says: '@ts-expect-error names that are any text: `as const` keeps them',
    inReference: false,
  },
  {
    mistake: 'a param of the path is missing',
    provenBy: 'tests/types/widgets.test-d.tsx',
    says: '@ts-expect-error a path param is missing',
    inReference: false,
  },
  {
    mistake: 'a login whose answer has no token',
    provenBy: 'tests/types/session.test-d.ts',
    says: '@ts-expect-error The result of this endpoint is a user, without a token.',
    inReference: false,
  },
]);

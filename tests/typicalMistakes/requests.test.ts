import { authEndpoint, createTokenSession, Entity, resource } from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { mockServer, type Route } from '../session/support/mockServer.js';
import { testMistakes } from './support/mistakes.js';
import { login } from './support/render.js';

class Article extends Entity {
  id = '';
  title = '';
}

const path = '/article/:id';
const noBody = () => new Response(null, { status: 204 });

/** Articles of a signed-in user, and the server that answers so. */
async function articles(answer: Route, options: object = {}, { rows }: { rows?: string } = {}) {
  mockServer({ '*': answer });
  const session = createTokenSession({ server: true, login, ...options });
  await session.login();
  const Endpoint = authEndpoint(session);
  return resource({ urlPrefix: 'https://api.example.com', path, schema: Article, Endpoint, rows });
}

const djangoPage = () => json({ count: 1, next: null, previous: null, results: [{ id: '1' }] });

// Addresses.
testMistakes([
  {
    mistake: 'an API on an origin that the session does not trust',
    make: async () => (await articles(noBody, { trustedOrigins: ['https://app.example.com'] })).get({ id: '1' }),
    where: 'thrown',
    says: "Credentials are not sent to https://api.example.com. If its server takes the credentials of this session, add it to the session's `trustedOrigins`. If it is another API with a session of its own, put the component below a provider of that session. Or mark the endpoint `public: true`, or use plain `fetch`, to call it without credentials.",
  },
  {
    mistake: 'an API that redirects: a slash too few, or a login page in place of 401',
    make: async () => {
      const redirect = () => new Response(null, { status: 302, headers: { Location: '/login' } });
      await (await articles(redirect)).get({ id: '1' });
    },
    where: 'thrown',
    says: "https://api.example.com/article/1 redirected, and this request follows no redirect: its credentials would go to an unknown address. Let the endpoint's `urlPrefix` and `path` name the final address; where no user is signed in, let the server answer 401 instead of redirecting to its login page.",
  },
  {
    mistake: 'a mode against an error of CORS',
    make: async () => (await articles(noBody)).get.extend({ requestInit: { mode: 'no-cors' } })({ id: '1' }),
    where: 'thrown',
    says: "A request with `mode: 'no-cors'` cannot carry Access-Token, so it was not sent: browsers remove the header. Leave out `mode`, or set it to 'cors', and let the API allow the page's origin and this header by CORS.",
  },
  {
    mistake: 'an id that is not known yet',
    make: () => resource({ path, schema: Article }).get({ id: undefined as never }),
    where: 'thrown',
    says: 'GET /article/:id needs a value for `id`, but got undefined. Pass { id: … }, or null to wait until it is known.',
  },
  {
    mistake: 'an id that leads to another path',
    make: () => resource({ path, schema: Article }).get({ id: '..' }),
    where: 'thrown',
    says: 'GET /article/:id needs a value for `id`, but got "..". Pass { id: … }, or null to wait until it is known.',
  },
  {
    mistake: 'a resource with the path of its list',
    make: () => resource({ path: '/article', schema: Article }),
    where: 'thrown',
    says: `The path "/article" names no record. End it with a token, as in '/article/:id'.`,
  },
]);

// Answers and bodies.
testMistakes([
  {
    mistake: 'the list of another address',
    make: async () => (await articles(() => json({}, 404))).getList(),
    where: 'console.warn',
    says: 'The list GET /article was answered with 404. Check its address: `urlPrefix`, `path`, a slash at its end, and the proxy of the dev server. A list without rows is answered with 200 and an empty list.',
  },
  {
    mistake: 'rows whose key has another name than `id`',
    make: async () => (await articles(() => json([{ uuid: 'a', title: 'One' }]))).getList(),
    where: 'thrown',
    says: 'GET /article answered rows without a primary key of Article: an object with uuid, title. Return the field that identifies a row: class Article extends Entity { pk() { return this.… } }.',
  },
  {
    mistake: 'a list in a field of the answer, as Django REST framework has it',
    make: async () => (await articles(djangoPage)).getList(),
    where: 'thrown',
    says: "GET /article expected a list, but the server answered an object with count, next, previous, results. Name the field that holds the rows: resource({ …, rows: 'results' }).",
  },
  {
    mistake: 'the same, where a widget shows users another sentence',
    make: async () => {
      const { getList } = await articles(djangoPage);
      await getList.extend({ path: '/note' })();
    },
    where: 'console.error',
    says: "GET /note expected a list, but the server answered an object with count, next, previous, results. Name the field that holds the rows: resource({ …, rows: 'results' }).",
  },
  {
    mistake: 'a bare list, where the resource has `rows`',
    make: async () => {
      const { getList } = await articles(() => json([{ id: '1' }]), {}, { rows: 'data.items' });
      await getList();
    },
    where: 'thrown',
    says: 'GET /article expected a list in `data.items`, but the server answered a bare list. Leave out `rows`, or let the server answer `{ data: { items: […] } }`.',
  },
  {
    mistake: 'a stream as a body, when the token has expired',
    make: async () => {
      const isOld = ({ headers }: { headers: Headers }) => headers.get('access-token') === 'ada-1';
      mockServer({ '*': seen => json({ id: '1' }, isOld(seen) ? 401 : 200) });
      const refresh = async () => ({ accessToken: 'ada-2', user: { id: 'ada' } });
      const session = createTokenSession({ server: true, login, refresh });
      await session.login();
      const Upload = authEndpoint(session);
      const upload = new Upload({ urlPrefix: 'https://api.example.com', path: '/file', method: 'POST' });
      const body = new Blob(['a file']).stream();
      await upload.extend({ getRequestInit: () => ({ method: 'POST', body }) })();
    },
    where: 'thrown',
    says: 'The credentials had expired and the body is a stream, which cannot be sent twice. Start the request again, or send a Blob.',
  },
]);

// What resource() gets, and what the server answers to it.
testMistakes([
  {
    mistake: 'a class of another file that is not there yet: two files import each other',
    make: () => resource({ path, schema: undefined as never }),
    where: 'thrown',
    says: 'resource() for /article/:id needs the class of a record as `schema`, but got undefined. If the class is in another file, two files import each other.',
  },
  {
    mistake: 'a class that is no entity',
    make: () => {
      class Plain {
        id = '';
      }
      return resource({ path, schema: Plain as never });
    },
    where: 'thrown',
    says: 'resource() for /article/:id needs the class of a record as `schema`, but Plain is no entity. Write class Plain extends Entity.',
  },
  {
    mistake: 'a list as the schema of a record',
    make: () => resource({ path, schema: [Article] }),
    where: 'thrown',
    says: 'resource() for /article/:id needs the class of a record as `schema`, but got a list. Leave out the brackets: getList makes its list of it.',
  },
  {
    mistake: 'a list of ids in place of records',
    make: async () => (await articles(() => json([1, 2]))).getList(),
    where: 'console.warn',
    says: 'GET /article answered a list of numbers, where objects were expected, so the list shows only those whose record the store has. Make objects of them in the `process` of the endpoint: value.map(id => ({ id })).',
  },
]);

// One room for the whole resource: five methods over one table, judged, cut into pages and held by the same few rules.
import { delay, http, HttpResponse, type RequestHandler } from 'msw';
import { createGate, type Release } from './createGate.js';
import { createTable } from './createTable.js';
import { outageResponse } from './outageResponse.js';
import { paginate, type MockPagination } from './paginate.js';
import type { IncomingRequest, MockAuth } from './MockAuth.js';
import { readJson } from './readJson.js';

type Fields = Record<string, unknown>;

/** The two endpoints of a resource that tell its addresses; the result of `resource()` fits. */
export interface MockResourceSource {
  readonly get: { readonly path: string; readonly urlPrefix?: string };
  readonly getList: { readonly path: string; readonly urlPrefix?: string };
}

export interface ResourceHandlersOptions<Row extends object> {
  /**
   * The server that judges credentials: without one that it accepts, every method answers 401.
   * @default everybody may do everything
   */
  auth?: MockAuth;
  /**
   * Whose a row is, by the person's id; `undefined` is everybody's. Others get 403 for it, also when they would make it so.
   * @default every row is everybody's
   */
  owner?: (row: Row) => string | undefined;
  /**
   * Lists show the rows of their reader only.
   * @default false
   */
  private?: boolean;
  /** @default all rows in one array */
  pagination?: MockPagination;
  /** The errors of a row that is to be saved, like `{ title: ['A title is needed.'] }`: they are answered with 422. */
  validate?: (row: Fields) => Record<string, string[]> | undefined;
  /** Adds what the server knows better to a row that is to be created or replaced, like its author's id. */
  stamp?: (row: Fields, personId: string | undefined) => Fields;
  /**
   * What a deletion answers: 204 and nothing, or 200 and `{ id }`.
   * @default 'nothing'
   */
  deleteAnswers?: 'nothing' | 'id';
  /**
   * Milliseconds that an answer takes; judged on arrival. A function is told how many requests came before, from 0.
   * @default 0
   */
  delay?: number | ((request: Request, index: number) => number);
}

export interface MockResource<Row extends object> {
  readonly handlers: RequestHandler[];
  /** How many answers are held now. */
  readonly held: number;
  /** The rows as they are now. */
  rows(): Row[];
  /** Holds all answers, which are judged on arrival, until released: as they are, or `'lost'`. */
  hold(): Release;
  /**
   * The next requests fail before anything is judged: with a status, or `'network'`.
   * @default once; `Infinity` until `reset()`
   */
  failNext(failure: number | 'network', times?: number): void;
  /** The rows of the beginning, no failures; answers that are held are lost. */
  reset(): void;
}

/**
 * A REST server for one resource, made from the resource's own paths, with rows in memory that judges like a real one.
 *
 * Answers: GET of a list, filtered by path and search parameters that name a field, 200; POST 201, an array makes several;
 * GET, PUT and PATCH of one row 200, DELETE 204. Refusals: 401 without a credential, 403 for the wrong person, 404, 422
 * `{ errors }` where `validate` says so, and 400 for a body that is no JSON object.
 *
 * @example
 * const articles = resourceHandlers(ArticleResource, [{ id: '1', title: 'On signing in', author: 'ada' }], {
 *   auth: server,
 *   owner: article => article.author,
 *   pagination: { style: 'cursor', size: 2 },
 * });
 * // in a story
 * beforeEach: ({ msw }) => msw.use(...server.handlers, ...articles.handlers),
 * play: async ({ canvas, step }) => {
 *   const release = articles.hold();
 *   // ... what the screen shows meanwhile
 *   release();
 * }
 */
export function resourceHandlers<Row extends object>(
  resource: MockResourceSource,
  rows: readonly Row[],
  options: ResourceHandlersOptions<Row> = {},
): MockResource<Row> {
  const { auth, owner, pagination, validate, stamp = row => row, deleteAnswers = 'nothing' } = options;
  const table = createTable(rows, /[:*](\w+)[^:*]*$/.exec(resource.get.path)?.[1] ?? 'id');
  const pageParam = pagination?.param ?? (pagination?.style === 'cursor' ? 'cursor' : 'page');
  const answers = createGate();
  let failures: { failure: number | 'network'; left: number } | undefined;
  let index = 0;

  /** What the methods below are told of a request; the person is known where a server judges. */
  interface Call {
    judged: IncomingRequest;
    params: [string, string][];
    personId: string | undefined;
  }

  /** Judges on arrival, then waits: so a held answer tells what was true when its request came. */
  function answering(method: 'get' | 'post' | 'put' | 'patch' | 'delete', url: string, judge: (call: Call) => Promise<Response>) {
    return http[method](url, async ({ request, cookies, params }) => {
      const judged = { request, cookies };
      const place = index++;
      const response =
        fail() ??
        auth?.authorize(judged) ??
        (await judge({ judged, params: flatten(params), personId: auth?.personOf(judged)?.id }));
      const wait = typeof options.delay === 'function' ? options.delay(request, place) : options.delay;
      if (wait) await delay(wait);
      return (await answers.pass()) === 'lost' ? HttpResponse.error() : response;
    });
  }

  function fail(): Response | undefined {
    if (!failures || failures.left <= 0) return undefined;
    failures.left -= 1;
    return outageResponse(failures.failure);
  }

  function isForbidden(row: Row, personId: string | undefined): boolean {
    const whose = auth && owner?.(row);
    return whose !== undefined && whose !== personId;
  }

  /** Finds the one row that a path names and its caller may touch, else the refusal. */
  function find({ params, personId }: Call): Row | Response {
    const row = table.filter(params)[0];
    if (!row) return HttpResponse.json({ message: 'Not found.' }, { status: 404 });
    return isForbidden(row, personId) ? forbidden() : row;
  }

  /** Refuses fields that cannot be saved as a row. */
  function refuse(fields: unknown, personId: string | undefined): Response | undefined {
    if (!isObject(fields)) return HttpResponse.json({ message: 'A JSON object is needed.' }, { status: 400 });
    const errors = validate?.(fields);
    if (errors && Object.keys(errors).length > 0) return HttpResponse.json({ errors }, { status: 422 });
    return isForbidden(fields as Row, personId) ? forbidden() : undefined;
  }

  async function list({ judged, params, personId }: Call): Promise<Response> {
    const url = new URL(judged.request.url);
    const search = [...url.searchParams].filter(([name]) => name !== 'limit' && name !== pageParam);
    const found = table.filter([...params, ...search]).filter(row => !(options.private && isForbidden(row, personId)));
    if (pagination) return paginate(found, url, table.idOf, { ...pagination, param: pageParam });
    return HttpResponse.json(found.slice(0, Number(url.searchParams.get('limit')) || undefined));
  }

  async function create({ judged, params, personId }: Call): Promise<Response> {
    const body = await readJson(judged.request);
    const all = (Array.isArray(body) ? body : [body]).map(fields =>
      isObject(fields) ? stamp({ ...fields, ...Object.fromEntries(params) }, personId) : fields,
    );
    for (const fields of all) {
      const refused = refuse(fields, personId);
      if (refused) return refused;
    }
    const made = all.map(fields => table.insert(fields as Fields));
    return HttpResponse.json(Array.isArray(body) ? made : made[0], { status: 201 });
  }

  async function save(call: Call): Promise<Response> {
    const { judged, params, personId } = call;
    const body = await readJson(judged.request);
    const row = find(call);
    if (row instanceof Response) return row;
    // What the URL names cannot be changed by a body.
    const kept = Object.fromEntries(
      ['id', ...params.map(([name]) => name)].filter(name => name in row).map(name => [name, (row as Fields)[name]]),
    );
    const isPartial = judged.request.method === 'PATCH';
    const fields = !isObject(body) ? body : isPartial ? { ...row, ...body, ...kept } : stamp({ ...body, ...kept }, personId);
    const refused = refuse(fields, personId);
    return refused ?? HttpResponse.json(table.replace(row, fields as Fields));
  }

  async function remove(call: Call): Promise<Response> {
    const row = find(call);
    if (row instanceof Response) return row;
    table.remove(row);
    if (deleteAnswers === 'nothing') return new HttpResponse(null, { status: 204 });
    return HttpResponse.json({ id: (row as { id?: unknown }).id ?? table.idOf(row) });
  }

  const listUrl = addressOf(resource.getList);
  const oneUrl = addressOf(resource.get);
  return {
    handlers: [
      answering('get', listUrl, list),
      answering('post', listUrl, create),
      answering('get', oneUrl, async call => {
        const row = find(call);
        return row instanceof Response ? row : HttpResponse.json(row);
      }),
      answering('put', oneUrl, save),
      answering('patch', oneUrl, save),
      answering('delete', oneUrl, remove),
    ],
    get held() {
      return answers.held;
    },
    rows: () => [...table.rows],
    hold: () => answers.hold(),
    failNext(failure, times = 1) {
      failures = { failure, left: times };
    },
    reset() {
      answers.reset();
      table.reset();
      failures = undefined;
      index = 0;
    },
  };
}

/** The address in the syntax of msw, which knows `:path+` for what a resource calls `*path`. */
function addressOf({ urlPrefix = '', path }: MockResourceSource['get']): string {
  return urlPrefix + path.replace(/\*(\w+)/g, ':$1+');
}

function flatten(params: Readonly<Record<string, string | readonly string[] | undefined>>): [string, string][] {
  return Object.entries(params).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join('/')]],
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function forbidden(): Response {
  return HttpResponse.json({ message: 'This belongs to somebody else.' }, { status: 403 });
}

import { delay, http, HttpResponse } from 'msw';
import { createGate } from './createGate.js';
import { outageResponse } from './networkHandler.js';
import { listBody, paginate } from './paginate.js';
import type { IncomingRequest } from './MockAuth.js';
import type { MockResource, MockResourceSource, ResourceHandlersOptions } from './MockResource.js';
import { isObject } from '../isObject.js';
import { readJson } from './checkLogin.js';

type Fields = Record<string, unknown>;

/**
 * Mocks a REST server for one resource, with the resource's own paths and rows in memory, and the list in the field that the
 * resource's `rows` names. It checks requests like a real server.
 *
 * Answers: 200 for GET of a list, which path params and search params filter by field; 201 for POST, which creates several rows
 * from an array; 200 for GET, PUT and PATCH of one row; 204 for DELETE. Refusals: 401 without a credential, 403 for another
 * user's row, 404 for an unknown row, 422 `{ errors }` for errors of `validate`, and 400 for a body that is neither a JSON object nor
 * `multipart/form-data`, of which it keeps text, and the names of files.
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
 *   // ... assert the loading state here
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
  const field = resource.getList.rows;
  const pageParam = pagination?.param ?? (pagination?.style === 'cursor' ? 'cursor' : 'page');
  const answers = createGate();
  let failures: { failure: number | 'network'; left: number } | undefined;
  let requestCount = 0;

  /** The arguments of the methods below. `personId` is set when a mock auth server identifies the user. */
  interface Call {
    incoming: IncomingRequest;
    params: [string, string][];
    personId: string | undefined;
  }

  /** Computes the answer when the request arrives, and waits after that. So a held answer describes the state at arrival. */
  function answering(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    url: string,
    respond: (call: Call) => Promise<Response>,
  ) {
    return http[method](url, async ({ request, cookies, params }) => {
      const incoming = { request, cookies };
      const index = requestCount++;
      const response =
        fail() ??
        auth?.authorize(incoming) ??
        (await respond({ incoming, params: flatten(params), personId: auth?.personOf(incoming)?.id }));
      const wait = typeof options.delay === 'function' ? options.delay(request, index) : options.delay;
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
    const ownerId = auth && owner?.(row);
    return ownerId !== undefined && ownerId !== personId;
  }

  /** Returns the row that the path names, or a refusal: 404, or 403 for another user's row. */
  function find({ params, personId }: Call): Row | Response {
    const row = table.filter(params)[0];
    if (!row) return HttpResponse.json({ message: 'Not found.' }, { status: 404 });
    return isForbidden(row, personId) ? forbidden() : row;
  }

  /** Returns a refusal for fields that cannot be saved as a row. */
  function refuse(fields: unknown, personId: string | undefined): Response | undefined {
    if (!isObject(fields)) return HttpResponse.json({ message: 'A JSON object is needed.' }, { status: 400 });
    const errors = validate?.(fields);
    if (errors && Object.keys(errors).length > 0) return HttpResponse.json({ errors }, { status: 422 });
    return isForbidden(fields as Row, personId) ? forbidden() : undefined;
  }

  async function list({ incoming, params, personId }: Call): Promise<Response> {
    const url = new URL(incoming.request.url);
    const search = [...url.searchParams].filter(([name]) => name !== 'limit' && name !== pageParam);
    const found = table.filter([...params, ...search]).filter(row => !(options.private && isForbidden(row, personId)));
    if (pagination) return paginate(found, url, table.idOf, { ...pagination, param: pageParam, field });
    return HttpResponse.json(listBody(found.slice(0, Number(url.searchParams.get('limit')) || undefined), field));
  }

  async function create({ incoming, params, personId }: Call): Promise<Response> {
    const body = await readFields(incoming.request);
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
    const { incoming, params, personId } = call;
    const body = await readFields(incoming.request);
    const row = find(call);
    if (row instanceof Response) return row;
    // A body cannot change the fields that the URL names.
    const fixed = Object.fromEntries(
      ['id', ...params.map(([name]) => name)].filter(name => name in row).map(name => [name, (row as Fields)[name]]),
    );
    const isPartial = incoming.request.method === 'PATCH';
    const fields = !isObject(body)
      ? body
      : isPartial
        ? { ...row, ...body, ...fixed }
        : stamp({ ...body, ...fixed }, personId);
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
      requestCount = 0;
    },
  };
}

/** The address in msw's syntax: a resource's `*path` is `:path+` there. */
function addressOf({ urlPrefix = '', path }: MockResourceSource['get']): string {
  return urlPrefix + path.replace(/\*(\w+)/g, ':$1+');
}

function flatten(params: Readonly<Record<string, string | readonly string[] | undefined>>): [string, string][] {
  return Object.entries(params).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join('/')]],
  );
}

function forbidden(): Response {
  return HttpResponse.json({ message: 'This belongs to another user.' }, { status: 403 });
}

/** The rows of a mock resource, and the queries for them. */
export interface Table<Row extends object> {
  readonly rows: readonly Row[];
  idOf(row: Row): string;
  /** Returns the rows whose fields equal the values. Several values of one name are alternatives. Ignores names that no row has as a field. */
  filter(values: readonly (readonly [string, string])[]): Row[];
  insert(fields: Fields): Row;
  replace(row: Row, fields: Fields): Row;
  remove(row: Row): void;
  reset(): void;
}

/** Creates a table in memory with a copy of the given rows. `key` is the field that the last token of the path names. */
function createTable<Row extends object>(given: readonly Row[], key: string): Table<Row> {
  const field = (row: Row, name: string) => (row as Fields)[name];
  const initial = structuredClone(given);
  let rows = initial;
  const isField = (name: string) => name === key || [...rows, ...initial].some(row => name in row);
  let highest = 0;

  function newId(): string | number {
    const ids = [...rows, ...initial].map(row => field(row, 'id'));
    // Never reuse the id of a deleted row: a client that still caches the old row would confuse the two.
    highest = Math.max(highest, ...ids.map(Number).filter(Number.isFinite)) + 1;
    return ids.some(id => typeof id === 'number') ? highest : String(highest);
  }

  return {
    get rows() {
      return rows;
    },
    idOf: row => String(field(row, key)),
    filter(values) {
      const names = [...new Set(values.map(([name]) => name))].filter(isField);
      return rows.filter(row =>
        names.every(name => values.some(([other, value]) => other === name && String(field(row, name)) === value)),
      );
    },
    insert(fields) {
      const id = newId();
      const row = { [key]: id, ...fields, ...(isField('id') ? { id } : {}) } as Row;
      rows = [...rows, row];
      return row;
    },
    replace(row, fields) {
      const next = fields as Row;
      rows = rows.map(one => (one === row ? next : one));
      return next;
    },
    remove(row) {
      rows = rows.filter(one => one !== row);
    },
    reset() {
      rows = initial;
      highest = 0;
    },
  };
}

/**
 * Reads the fields of a request's body: JSON, or `multipart/form-data`, where a file becomes its name and a repeated name becomes a list.
 * Resolves with `undefined` for a missing or invalid body.
 */
async function readFields(request: Request): Promise<unknown> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) return readJson(request);
  const form = await request.formData().catch(() => undefined);
  if (!form) return undefined;
  const names = [...new Set([...form].map(([name]) => name))];
  return Object.fromEntries(
    names.map(name => {
      const values = form.getAll(name).map(value => (typeof value === 'string' ? value : value.name));
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

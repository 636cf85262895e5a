// A server with rows in numbered pages, whose answers take their time.
import type { Answer, Arrived } from './apiServer.js';

export interface PagedRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

export const rowsOf = (count: number, status = 'open'): PagedRow[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, title: `Row ${index + 1}`, status }));

interface Options {
  size?: number;
  /** The answer with the rows of a page. @default all facts about the pages */
  toBody?: (items: readonly PagedRow[], total: number, page: number) => unknown;
}

/** Reads and changes the rows when the request arrives, and answers when `beforeAnswer` allows it. */
export function pagedRows(all: readonly PagedRow[], { size = 5, toBody }: Options = {}) {
  const server = {
    rows: all,
    log: [] as string[],
    beforeAnswer: (_request: Arrived): Promise<unknown> => Promise.resolve(),
    /** Replaces the answer to some requests. */
    special: (_request: Arrived): Answer | undefined => undefined,
    titles: (page = 1) => server.rows.slice((page - 1) * size, page * size).map(({ title }) => title),
    answer: async (request: Arrived): Promise<Answer> => {
      server.log.push(`${request.method} ${request.path.replace(/[?&]status=open/, '').replace(/&/, '?')}`);
      const answer = server.special(request) ?? read(request);
      await server.beforeAnswer(request);
      return answer;
    },
  };
  const read = ({ method, path, body }: Arrived): Answer => {
    const { pathname, searchParams } = new URL(path, 'https://api.example.com');
    const id = pathname.split('/')[2];
    if (method === 'DELETE') {
      server.rows = server.rows.filter(row => row.id !== id);
      return { status: 204 };
    }
    if (method === 'POST') {
      server.rows = [...server.rows, { id: 'new', status: 'open', ...(JSON.parse(body) as { title: string }) }];
      return { status: 201, body: server.rows.at(-1) };
    }
    if (method === 'PATCH') {
      server.rows = server.rows.map(row => (row.id === id ? { ...row, ...(JSON.parse(body) as object) } : row));
      return { body: server.rows.find(row => row.id === id) };
    }
    const list = server.rows.filter(({ status }) => status === searchParams.get('status'));
    const page = Number(searchParams.get('page') ?? 1);
    const items = list.slice((page - 1) * size, page * size);
    const pages = Math.max(1, Math.ceil(list.length / size));
    return { body: toBody?.(items, list.length, page) ?? { items, total: list.length, page, pages } };
  };
  return server;
}

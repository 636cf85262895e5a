import type { Server } from './sideBySide.js';

interface Row {
  id: string;
  title: string;
  author: string;
}

/** A server of three articles, by Ada and by Grace. */
export function articleServer(): Server {
  const rows: Row[] = ['ada', 'grace', 'ada'].map((author, index) => ({
    id: `${index + 1}`,
    title: `Title ${index + 1}`,
    author,
  }));
  return (request, body) => {
    const [, method, id, search] = /^(\w+) \/article\/?(\w*)(.*)$/.exec(request) ?? [];
    const params = new URLSearchParams(search);
    const row = rows.find(one => one.id === id);
    if (method === 'POST') {
      const created = { id: `${rows.length + 1}`, title: '', author: 'ada', ...(body as Partial<Row>) };
      rows.push(created);
      return created;
    }
    if (method === 'GET' && id === '') {
      if (params.has('cursor')) return [{ id: `after-${params.get('cursor')}`, title: 'More', author: 'ada' }];
      return rows.filter(({ author }) => author === (params.get('author') ?? author));
    }
    if (!row) return Response.json({}, { status: 404 });
    if (method === 'DELETE') return (rows.splice(rows.indexOf(row), 1), null);
    return { ...Object.assign(row, body) };
  };
}

import { readJson } from './readJson.js';

/**
 * Reads the fields of a request's body: JSON, or `multipart/form-data`, where a file becomes its name and a repeated name becomes a list.
 * Resolves with `undefined` for a missing or invalid body.
 */
export async function readFields(request: Request): Promise<unknown> {
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

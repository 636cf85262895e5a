/** Sends JSON, and gives the answer as a status and what its body holds. */
export async function send(method: string, url: string, options: { body?: unknown; headers?: HeadersInit } = {}) {
  const headers = new Headers(options.headers);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  const body =
    typeof options.body === 'string' || options.body === undefined ? options.body : JSON.stringify(options.body);
  const response = await fetch(url, { method, headers, body: body ?? null });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers };
}

/** Reads a request's body as JSON. Resolves with `undefined` for a missing or invalid body. */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/** The JSON of a request's body, or nothing when there is none that can be read. */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

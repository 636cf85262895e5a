/** Statuses by which servers refuse what somebody has entered. */
const REFUSALS = [400, 409, 422];

/** The JSON with which a server has refused what was entered; undefined for any other failure, and for an answer that is no JSON. */
export async function refusalOf(error: unknown): Promise<unknown> {
  const { response } = (error ?? {}) as { response?: Response };
  if (!response || !REFUSALS.includes(response.status)) return undefined;
  try {
    return (await response.clone().json()) as unknown;
  } catch {
    return undefined;
  }
}

/** The subject in a result: its `subject`, or its `user` (a string, or an object with `id` or `sub`). */
export function subjectOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const { subject, user } = result as { subject?: unknown; user?: unknown };
  return subjectText(subject) ?? subjectText(user) ?? idOf(user);
}

/** The `id` or `sub` of a user. */
export function idOf(user: unknown): string | undefined {
  if (typeof user !== 'object' || user === null) return undefined;
  const { id, sub } = user as { id?: unknown; sub?: unknown };
  return subjectText(id) ?? subjectText(sub);
}

/** Fields of a response that wraps the data, as JSON-RPC does. */
const ENVELOPE_FIELDS = ['jsonrpc', 'result', 'data', 'payload'];

/**
 * Returns true if the `id` may be the id of the response, not of the user (JSON-RPC: the same `id: 1` for all users).
 */
export function isEnvelope(result: unknown): boolean {
  return (
    typeof result === 'object' && result !== null && 'id' in result && ENVELOPE_FIELDS.some(field => field in result)
  );
}

/**
 * Returns an id as text: 5 and "5" are the same user. Undefined for a value that names no user, or not for certain: beyond 2^53, JSON
 * reads different numbers as the same one.
 */
export function subjectText(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value) ? String(value) : undefined;
}

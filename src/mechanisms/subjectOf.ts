/** Who an answer is about: its `subject`, or its `user` (a string, or an object with `id` or `sub`). */
export function subjectOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { subject, user } = answer as { subject?: unknown; user?: unknown };
  return text(subject) ?? text(user) ?? idOf(user);
}

/** The `id` or `sub` of a user. */
export function idOf(user: unknown): string | undefined {
  if (typeof user !== 'object' || user === null) return undefined;
  const { id, sub } = user as { id?: unknown; sub?: unknown };
  return text(id) ?? text(sub);
}

/** Fields of an answer that wraps the data, as JSON-RPC does. */
const ENVELOPE_FIELDS = ['jsonrpc', 'result', 'data', 'payload'];

/** Whether the answer's `id` may number the answer (JSON-RPC: the same `id: 1` for everybody), and so names no user. */
export function isEnvelope(answer: unknown): boolean {
  return (
    typeof answer === 'object' && answer !== null && 'id' in answer && ENVELOPE_FIELDS.some(field => field in answer)
  );
}

function text(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

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

function text(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

import { HttpResponse } from 'msw';
import type { MockPerson } from './MockAuth.js';

/**
 * Checks a login with `{ username, password }`. Returns the user, or the refusal to answer with: 400 for a body that is no JSON
 * object, 422 with an error for each missing field, 401 for a wrong name or password, with the same message for both.
 */
export async function checkLogin(request: Request, people: readonly MockPerson[]): Promise<MockPerson | Response> {
  const body = await readJson(request);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return HttpResponse.json({ message: 'A JSON object is needed.' }, { status: 400 });
  }
  const { username, password } = body as Record<string, unknown>;
  const missing = Object.entries({ username, password }).filter(
    ([, value]) => typeof value !== 'string' || value === '',
  );
  if (missing.length > 0) {
    const errors = Object.fromEntries(missing.map(([name]) => [name, ['This field is required.']]));
    return HttpResponse.json({ message: 'Some fields are missing.', errors }, { status: 422 });
  }
  const person = people.find(({ id, password: right }) => id === username && right === password);
  return person ?? HttpResponse.json({ message: 'Wrong name or password.' }, { status: 401 });
}

/** Reads a request's body as JSON. Resolves with `undefined` for a missing or invalid body. */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

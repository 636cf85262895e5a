import type { RequestHandler, Response, Router } from 'express';
import { DEMO_USERS, type Credentials, type User } from '../src/demoUsers.ts';

/** One way to sign in. The issues do not know which. */
export interface Auth {
  /** Finds the user of each request, for `userOf`. */
  readonly identify: readonly RequestHandler[];
  /** Login, logout, and the other requests of a session. */
  readonly routes: Router;
}

/** @param steppedUpAt When the user has confirmed the session with the password, in seconds since 1970. */
export function setUser(response: Response, user: User | undefined, steppedUpAt = 0): void {
  response.locals.user = user;
  response.locals.steppedUpAt = steppedUpAt;
}

/** The user who sent the request, or undefined. */
export function userOf(response: Response): User | undefined {
  return response.locals.user as User | undefined;
}

/** As whom this user may view the app: maintainers as everybody. Undefined: as nobody. */
export function findViewed(user: User | undefined, body: unknown): User | undefined {
  const found = DEMO_USERS.find(({ id }) => id === (body as { user?: unknown } | undefined)?.user);
  if (user?.role !== 'maintainer' || !found) return undefined;
  const { password: _, ...viewed } = found;
  return viewed;
}

/** The user with these credentials, or undefined. A real server compares hashes. */
export function findUser(body: unknown): User | undefined {
  const { username, password } = (body ?? {}) as Partial<Credentials>;
  const found = DEMO_USERS.find(one => one.id === username && one.password === password);
  if (!found) return undefined;
  const { password: _, ...user } = found;
  return user;
}

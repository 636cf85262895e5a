import { redirect } from 'react-router';
import { session } from './session';

/** Call it first in each loader of a page for signed-in users. */
export async function requireSession(request: Request): Promise<void> {
  await session.ready();
  // A locked session still has its user, who continues on the page.
  if (session.getSnapshot().status !== 'anonymous') return;
  const { pathname, search } = new URL(request.url);
  throw redirect(`/login?returnTo=${encodeURIComponent(pathname + search)}`);
}

/** The path to go to after the sign-in, or the front page: an attacker can write any address into `returnTo`. */
export function checkedReturnTo(returnTo: string | null): string {
  if (!returnTo?.startsWith('/') || !URL.canParse(returnTo, location.origin)) return '/';
  const { origin, pathname, search, hash } = new URL(returnTo, location.origin);
  // The parser turns `/\evil.test` into `//evil.test`, and `/.//evil.test` into the path `//evil.test`.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/';
}

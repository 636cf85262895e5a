export type Fate = 'judged' | '401' | '503' | 'lost';

/** How long the sessions of the model wait for a refresh. */
export const TIMEOUT_MS = 10_000;

/** Whose a token of the model's server is: `ada-1`, `ada-r-1`. */
const ownerOf = (token: string | null) => token?.split('-')[0] ?? 'nobody';

interface Body {
  name?: string;
  refreshToken?: string;
}

/**
 * The server of the model: it judges a request when it answers, holds every answer until told, and notes every promise that
 * a request breaks. The path of a request tells who started it: `/article/ada-7`, or `/article/unknown-7` while that was not
 * known yet.
 */
export function modelServer(now: () => number) {
  const broken: string[] = [];
  const valid = new Set<string>();
  const refreshTokens = new Set<string>();
  const replaced = new Set<string | null>();
  const refreshing = new Map<string, number>();
  const held: ((fate: Fate) => void)[] = [];
  let issued = 0;
  const issue = (person: string) => {
    const tokens = { accessToken: `${person}-${++issued}`, refreshToken: `${person}-r-${issued}` };
    valid.add(tokens.accessToken);
    refreshTokens.add(tokens.refreshToken);
    return Response.json({ ...tokens, user: { id: person } });
  };
  const judge = (path: string, token: string | null, { name = '', refreshToken = '' }: Body): Response => {
    if (path === '/login') return issue(name);
    if (path === '/restore') return issue('cy');
    if (path === '/logout') return new Response(null, { status: 204 });
    const accepted = path === '/refresh' ? refreshTokens.delete(refreshToken) : token !== null && valid.has(token);
    if (!accepted) return Response.json({}, { status: 401 });
    return path === '/refresh' ? issue(ownerOf(refreshToken)) : Response.json({ id: ownerOf(token) });
  };
  const inspectRequest = (path: string, token: string | null) => {
    const starter = /^\/article\/([a-z]+)-/.exec(path)?.[1];
    if (starter === undefined) return;
    const allowed = starter === 'unknown' ? ['nobody', 'cy'] : [starter];
    if (!allowed.includes(ownerOf(token))) broken.push(`a request of ${starter} was sent as ${ownerOf(token)}`);
    if (replaced.has(token)) broken.push('a request was sent with a token that the session had replaced');
  };
  const inspectRefresh = (refreshToken: string) => {
    if (now() - (refreshing.get(refreshToken) ?? -Infinity) < TIMEOUT_MS) broken.push('two refreshes of one identity were in flight at once');
    refreshing.set(refreshToken, now());
  };
  const fetch = (url: string, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const path = new URL(url).pathname;
      const token = new Headers(init.headers).get('access-token');
      const body = JSON.parse((init.body as string | undefined) ?? '{}') as Body;
      const { refreshToken = '' } = body;
      const { signal } = init;
      if (signal?.aborted) return reject(signal.reason as Error);
      if (path === '/refresh') inspectRefresh(refreshToken);
      else inspectRequest(path, token);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      held.push(fate => {
        if (path === '/refresh') refreshing.delete(refreshToken);
        if (fate === 'lost') return reject(new TypeError('fetch failed'));
        resolve(fate === 'judged' ? judge(path, token, body) : Response.json({}, { status: Number(fate) }));
      });
    });
  return {
    /** What went against the promises, in words. */
    broken,
    fetch,
    expire: (person: string) => [...valid].filter(token => ownerOf(token) === person).forEach(token => valid.delete(token)),
    /** No request may carry this token from the next turn on: what is being sent right now has read it already. */
    replace: (token: string) => void setImmediate(() => replaced.add(token)),
    answer: (which: number, fate: Fate) => held.splice(which % Math.max(held.length, 1), 1).forEach(respond => respond(fate)),
    holds: () => held.length > 0,
  };
}

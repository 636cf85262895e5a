import type { OpenChallenge } from '../../../src/entries/step-up.js';
import { isSessionCore } from '../../../src/session/createSession.js';
import { json } from './answers.js';
import type { Route, Seen } from './mockServer.js';

/** A refusal that asks for more, as RFC 9470 and RFC 6750 write it. */
export const NEEDS_LOGIN =
  'Bearer realm="api", error="insufficient_user_authentication", error_description="A password, please", acr_values="gold silver", max_age="300"';
export const NEEDS_SCOPE = 'DPoP algs="ES256", Bearer error="insufficient_scope", scope="articles:delete"';

export const refusal = (status: number, header: string) =>
  Response.json({ message: 'More is needed.' }, { status, headers: { 'WWW-Authenticate': header } });

/** The challenges of a session, as `useChallenge()` reads them. */
export function challengesOf(session: object) {
  if (!isSessionCore(session)) throw new Error('This is no session of the kit.');
  const { challenges } = session;
  return {
    open: (): OpenChallenge => {
      const open = challenges!.getSnapshot();
      if (!open) throw new Error('No challenge is open.');
      return open;
    },
    isOpen: () => challenges!.getSnapshot() !== undefined,
    subscribe: challenges!.subscribe,
  };
}

/** Refuses each deletion until the right code was posted, and lets the data route answer everything else. */
export function stepUpRoutes(data: Route, authorized: (seen: Seen) => Response | undefined) {
  const state = { isOpen: false };
  const routes: Record<string, Route> = {
    'POST /step-up': seen => {
      const { code } = JSON.parse(seen.body) as { code: string };
      const refused = authorized(seen);
      if (refused) return refused;
      if (code !== '123456') return json({ message: 'The code is wrong.' }, 422);
      state.isOpen = true;
      return new Response(null, { status: 204 });
    },
    '*': seen => {
      const refused = authorized(seen);
      if (refused) return refused;
      if (seen.method !== 'DELETE') return data(seen);
      if (!state.isOpen) return refusal(401, NEEDS_LOGIN);

      return json({ id: seen.path.split('/').pop() });
    },
  };
  return { state, routes };
}

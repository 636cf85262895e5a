import type { BrowserContext, Route } from 'playwright';
import { createTokens, now } from './sdkVendors.js';

// Clerk's Frontend API and its Account Portal, for a development instance: the browser's requests to them are answered here.

const FRONTEND_API = 'my-app.clerk.accounts.dev';
const PORTAL = 'https://my-app.accounts.dev';
/** Session tokens live for a minute. */
const MINUTE = 60;

/** Names the host of the Frontend API. */
export const PUBLISHABLE_KEY = `pk_test_${Buffer.from(`${FRONTEND_API}$`).toString('base64')}`;

interface ClerkSession {
  readonly id: string;
  readonly person: string;
  readonly startedAt: number;
  /** The organization for which the user acts. */
  organization?: string;
}

/** What Clerk answers to a browser whose session it has ended: it knows no such session, or the browser is signed out. */
const ENDED = { 404: ['resource_not_found', 'Session not found'], 401: ['signed_out', 'You are signed out'] } as const;

/**
 * Clerk: the page of its Account Portal has a button for each person.
 * @param ended The status of its answers for a session that has ended.
 * @see https://clerk.com/docs/reference/frontend-api
 */
export async function clerkInstance(context: BrowserContext, ended: keyof typeof ENDED) {
  const tokens = createTokens();
  /** The sessions of each browser, by the id that a development instance gives it. */
  const browsers = new Map<string, ClerkSession[]>();
  const organizations = new Map<string, string | undefined>();
  let count = 0;

  function sessionToken({ id, person, organization }: ClerkSession, type: string) {
    const claims = { sid: id, org_id: organization, exp: now() + MINUTE };
    const { access } = tokens.grant(type, person, claims);
    organizations.set(access, organization);
    return access;
  }

  function sessionJson(session: ClerkSession) {
    const { id, person, startedAt, organization = null } = session;
    return {
      object: 'session',
      id,
      status: 'active',
      user: {
        object: 'user',
        id: person,
        organization_memberships: ['org_1', 'org_2'].map(membership),
        created_at: startedAt,
        updated_at: startedAt,
      },
      last_active_organization_id: organization,
      public_user_data: { user_id: person },
      last_active_token: { object: 'token', jwt: sessionToken(session, 'session') },
      last_active_at: Date.now(),
      expire_at: startedAt + 7 * 24 * 3_600_000,
      abandon_at: startedAt + 30 * 24 * 3_600_000,
      created_at: startedAt,
      updated_at: startedAt,
    };
  }

  function clientJson(sessions: readonly ClerkSession[]) {
    return {
      object: 'client',
      id: 'client_1',
      sessions: sessions.map(sessionJson),
      sign_in: null,
      sign_up: null,
      last_active_session_id: sessions.at(-1)?.id ?? null,
      created_at: 0,
      updated_at: Date.now(),
    };
  }

  /** The answer for one browser. */
  function answer(route: Route, path: string, method: string, browser: string) {
    const sessions = browsers.get(browser);
    if (!sessions) return fail(route, 401, ['dev_browser_unauthenticated', 'Browser unauthenticated']);
    const [, id, action] = /^\/client\/sessions\/(\w+)\/(\w+)$/.exec(path) ?? [];
    const session = sessions.find(session => session.id === id);
    if (id && !session) {
      if (action === 'tokens') tokens.refuse('Session not found');
      return fail(route, ended, ENDED[ended]);
    }
    const form = new URLSearchParams(route.request().postData() ?? '');
    const organization = form.get('organization_id') ?? form.get('active_organization_id');
    if (session && organization) session.organization = organization;
    if (session && action === 'tokens') {
      return json(route, { object: 'token', jwt: sessionToken(session, 'refresh_token') });
    }
    if (session && action === 'touch')
      return json(route, { response: sessionJson(session), client: clientJson(sessions) });
    if (path === '/client/sessions' && method === 'DELETE') browsers.set(browser, []);
    if (path === '/client/sign_ins') {
      sessions.push({ id: `sess_${++count}`, person: form.get('identifier') ?? '', startedAt: Date.now() });
      return json(route, { response: { object: 'sign_in', status: 'complete' }, client: clientJson(sessions) });
    }
    return json(route, { response: clientJson(browsers.get(browser) ?? []), client: null });
  }

  await context.route(`https://${FRONTEND_API}/**`, route => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    const path = pathname.replace('/v1', '');
    if (path === '/environment') return json(route, ENVIRONMENT);
    if (path === '/dev_browser') {
      const id = `dvb_${++count}`;
      browsers.set(id, []);
      return json(route, { id });
    }
    const method = searchParams.get('_method') ?? request.method();
    return answer(route, path, method, searchParams.get('__clerk_db_jwt') ?? '');
  });
  await context.route(`${PORTAL}/**`, route => route.fulfill({ contentType: 'text/html', body: PORTAL_PAGE }));
  return {
    ...tokens,
    /** The user, and the organization: `ada of org_1`. */
    ownerOf(token: string) {
      const [person, organization] = [tokens.ownerOf(token), organizations.get(token)];
      return person && organization ? `${person} of ${organization}` : person;
    },
    /** Ends the sessions, as the button in Clerk's dashboard does. */
    revokeAll() {
      tokens.revokeAll();
      for (const id of browsers.keys()) browsers.set(id, []);
    },
  };
}

const membership = (id: string) => ({
  object: 'organization_membership',
  id: `member_of_${id}`,
  role: 'org:member',
  permissions: [],
  organization: { object: 'organization', id, name: id, slug: id },
});

const ENVIRONMENT = {
  object: 'environment',
  auth_config: { object: 'auth_config', id: 'aconf_1', single_session_mode: true },
  display_config: {
    object: 'display_config',
    id: 'display_config_1',
    instance_environment_type: 'development',
    sign_in_url: `${PORTAL}/sign-in`,
    sign_up_url: `${PORTAL}/sign-up`,
  },
};

/** Signs in as the person of the button, and goes back to the page as the portal of a development instance does. */
const PORTAL_PAGE = `<!doctype html><button>ada</button> <button>grace</button><script>
  const { searchParams, hash } = new URL(location.href);
  const browser = searchParams.get('__clerk_db_jwt');
  document.onclick = async ({ target }) => {
    const body = new URLSearchParams({ strategy: 'password', identifier: target.textContent, password: 'secret' });
    await fetch('https://${FRONTEND_API}/v1/client/sign_ins?__clerk_db_jwt=' + browser, { method: 'POST', body });
    const back = new URL(new URLSearchParams(hash.split('?')[1]).get('redirect_url'));
    back.searchParams.set('__clerk_db_jwt', browser);
    location.href = back.href;
  };
</script>`;

const json = (route: Route, body: unknown, status = 200) =>
  route.fulfill({
    status,
    contentType: 'application/json',
    headers: {
      'Access-Control-Allow-Origin': route.request().headers().origin ?? '*',
      'Access-Control-Allow-Credentials': 'true',
    },
    body: JSON.stringify(body),
  });

const fail = (route: Route, status: number, [code, message]: readonly [string, string]) =>
  json(route, { errors: [{ code, message, long_message: message }] }, status);

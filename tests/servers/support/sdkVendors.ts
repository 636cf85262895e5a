import type { BrowserContext, Route } from 'playwright';

// Two vendors whose SDKs go to the vendor's own address: the browser's requests to it are answered here. What is sent and answered is as
// each vendor documents it.

/** The tokens of one vendor, and its answers to the calls for them. */
export function createTokens() {
  let count = 0;
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const events: string[] = [];
  return {
    events,
    ownerOf: (token: string) => access.get(token),
    /** @param more Claims of the vendor's own. */
    grant(type: string | null, person: string, more: object = {}) {
      events.push(`${type} ${person}`);
      count++;
      const claims = { sub: person, user_id: person, iat: now(), exp: now() + HOUR, count, ...more };
      const issued = { access: jwt(claims), refresh: `refresh-${count}` };
      access.set(issued.access, person);
      refresh.set(issued.refresh, person);
      return issued;
    },
    refuse(description: string) {
      events.push('invalid_grant');
      return { error: 'invalid_grant', error_description: description };
    },
    refreshedBy: (token: string | null) => refresh.get(token ?? ''),
    revokeAccessTokens: () => access.clear(),
    revokeAll: () => {
      access.clear();
      refresh.clear();
    },
  };
}

const HOUR = 3_600;
export const now = () => Math.floor(Date.now() / 1_000);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object) => `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}.signature`;
const html = (route: Route, body: string) =>
  route.fulfill({ contentType: 'text/html', body: `<!doctype html>${body}` });
const json = (route: Route, body: unknown, status = 200) =>
  route.fulfill({
    status,
    contentType: 'application/json',
    headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' },
    body: JSON.stringify(body),
  });

/**
 * Microsoft Entra ID: its page has a link for each person.
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export async function entraId(context: BrowserContext) {
  const tokens = createTokens();
  /** Who has chosen their link on the page, by the code of the answer. */
  const codes = new Map<string, { person: string; nonce: string | null }>();

  function showPeople(route: Route, search: URLSearchParams) {
    const links = ['ada', 'grace'].map(person => {
      const code = `code-${codes.size}`;
      codes.set(code, { person, nonce: search.get('nonce') });
      const answer = new URLSearchParams({ code, state: search.get('state') ?? '', client_info: clientInfo(person) });
      return `<a href="${search.get('redirect_uri')}#${answer.toString().replaceAll('&', '&amp;')}">${person}</a>`;
    });
    return html(route, links.join(' '));
  }

  function giveTokens(route: Route) {
    const form = new URLSearchParams(route.request().postData() ?? '');
    const { person = tokens.refreshedBy(form.get('refresh_token')), nonce } = codes.get(form.get('code') ?? '') ?? {};
    if (person === undefined) return json(route, tokens.refuse('The refresh token has expired.'), 400);
    const { access, refresh } = tokens.grant(form.get('grant_type'), person);
    const claims = { aud: 'my-app', sub: person, oid: person, tid: 't', preferred_username: person, ver: '2.0' };
    return json(route, {
      token_type: 'Bearer',
      scope: form.get('scope'),
      expires_in: HOUR,
      access_token: access,
      refresh_token: refresh,
      id_token: jwt({ ...claims, nonce, iat: now(), exp: now() + HOUR }),
      client_info: clientInfo(person),
    });
  }

  await context.route('https://login.microsoftonline.com/**', route => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname.endsWith('/authorize')) return showPeople(route, searchParams);
    if (pathname.endsWith('/token')) return giveTokens(route);
    const goBack = JSON.stringify(searchParams.get('post_logout_redirect_uri'));
    return html(route, `<script>location.href = ${goBack}</script>`);
  });
  return tokens;
}

const clientInfo = (person: string) => encode({ uid: person, utid: 't' });

/**
 * Firebase Authentication, for sign-ins with a custom token that is the person's name.
 * @see https://cloud.google.com/identity-platform/docs/use-rest-api
 */
export async function firebaseAuth(context: BrowserContext) {
  const tokens = createTokens();

  function giveTokens(route: Route, type: string, person: string) {
    const { access, refresh } = tokens.grant(type, person);
    // The API has two spellings: that of a sign-in, and that of OAuth.
    const oauth = { access_token: access, id_token: access, refresh_token: refresh, expires_in: `${HOUR}` };
    return json(route, { ...oauth, idToken: access, refreshToken: refresh, expiresIn: `${HOUR}` });
  }

  await context.route('https://identitytoolkit.googleapis.com/**', route => {
    const request = route.request();
    if (request.method() === 'OPTIONS') return json(route, {});
    const { token = '', idToken = '' } = request.postDataJSON() as { token?: string; idToken?: string };
    if (request.url().includes('accounts:signInWithCustomToken')) return giveTokens(route, 'custom_token', token);
    return json(route, { users: [{ localId: tokens.ownerOf(idToken) }] });
  });
  await context.route('https://securetoken.googleapis.com/**', route => {
    const request = route.request();
    if (request.method() === 'OPTIONS') return json(route, {});
    const form = new URLSearchParams(request.postData() ?? '');
    const person = tokens.refreshedBy(form.get('refresh_token'));
    return person === undefined
      ? json(route, { error: { code: 400, message: tokens.refuse('TOKEN_EXPIRED').error_description } }, 400)
      : giveTokens(route, 'refresh_token', person);
  });
  return tokens;
}

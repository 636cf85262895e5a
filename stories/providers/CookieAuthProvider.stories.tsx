import type { Meta, StoryObj } from '@storybook/react-vite';
import { CookieAuthProvider } from '../../src/index.js';
import { shown } from '../support/sourceOf.js';
import { cookieExample } from '../support/startExample.js';
import { CookieApp } from './shown/CookieApp.js';
import { session } from './shown/cookieSession.js';

const app = cookieExample(session, { csrf: {} });

/**
 * A session whose credential is a cookie that the browser keeps, with a CSRF token on each request that changes something. Make it once,
 * outside React:
 *
 * ```ts
 * const session = createCookieSession({
 *   whoami: new RestEndpoint({ path: '/api/whoami' }), // answers { id, … }; null or a 401 means that the user is signed out
 *   login: new RestEndpoint({ path: '/api/login', method: 'POST' }),
 *   logout: new RestEndpoint({ path: '/api/logout', method: 'POST', body: undefined }),
 *   csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: new RestEndpoint({ path: '/api/csrf' }) },
 *   credentials: 'include', // for an API on another origin; without it, 'same-origin'
 * });
 * ```
 *
 * Further options: `trustedOrigins`, `getSubject`, `timeout`, and of `csrf`: `read` (a `<meta>` tag), `on` and `isRefused`.
 */
const meta = {
  title: 'Providers/CookieAuthProvider',
  component: CookieAuthProvider,
  globals: { mechanism: 'cookie' },
  parameters: { ...shown(430, 'cookieSession.ts', 'CookieApp.tsx'), cookies: [...app.server.cookieNames] },
  render: () => <CookieApp />,
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj;

/** `whoami` says once who is signed in. Then each request takes the cookie along, and each change carries the CSRF token. */
export const Basic: Story = {};

/**
 * Requests wait for the answer of `whoami`, and `<Authenticated>` shows `loading`. This server never answers: after ten seconds
 * (`timeout`) the user counts as signed out, and `error` says why.
 */
export const Loading: Story = {
  parameters: { unanswered: true },
  beforeEach: () => void app.server.hold(),
};

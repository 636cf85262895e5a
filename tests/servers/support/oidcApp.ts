import type { Page } from 'playwright';
import { press } from '../../browser/support/test.js';
import { oidcServer, type OidcServer } from './oidcServer.js';
import type { ServerOptions } from './ServerOptions.js';

/** How long a token lives that must not come to its end while a test looks on, in seconds. */
export const LONG = 300;

/** A provider whose access tokens live for so many seconds at first. */
export const seconds = (lifetime: number) => (options: ServerOptions) => oidcServer({ ...options, lifetime });

/** The search params of the app, with a note of Ada’s open. */
export const searchFor = ({ issuer }: OidcServer, search: Record<string, string> = {}) => ({
  session: 'oidc',
  note: '25',
  issuer,
  ...search,
});

/** What the provider tells of a family whose refresh tokens were each used once. */
export const renewals = (person: string, times: number): string[] => [
  `refresh_token.saved ${person}`,
  ...Array.from({ length: times }, () => [`refresh_token.consumed ${person}`, `refresh_token.saved ${person}`]).flat(),
];

/** How often the provider has renewed a person's tokens so far. */
export const renewed = ({ events }: OidcServer, person: string): number =>
  events.filter(event => event === `refresh_token.consumed ${person}`).length;

/** Ten calls for Ada's open note, each as it is logged. */
export const tenCalls = (status: number): string[] =>
  Array.from({ length: 10 }, () => `GET /api/note/25  ada  ${status}`);

/** Sends ten requests in the same millisecond. */
export const askTenTimes = (page: Page): Promise<void> => press(page, 'Ask ten times');

/** Waits until all of them have their answer. */
export const hasTenAnswers = (page: Page): Promise<void> => page.getByText('10 answered, 0 failed').waitFor();

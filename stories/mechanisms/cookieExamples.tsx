// The examples with a cookie of the browser: how each starts, and what it shows.
import { articlesBy, PlainArticles, Titles } from '../support/PlainArticles.js';
import { PlainStore } from '../support/PlainStore.js';
import { ownApi, setupCookieApp } from '../support/setupCookieApp.js';
import { CookieEndpoint } from './shown/CookieEndpoint.js';
import { CsrfEndpoint } from './shown/CsrfEndpoint.js';

const app = setupCookieApp();
const cookieArticles = articlesBy(CookieEndpoint, ownApi);
const csrfArticles = articlesBy(CsrfEndpoint, ownApi);

/** The names of the cookies. */
export const { cookies } = app;

export const cookieCredentials = {
  start: app.start('ada'),
  App: () => (
    <PlainStore>
      <Titles by={cookieArticles.getList} />
    </PlainStore>
  ),
};

export const csrfToken = {
  start: app.start('ada'),
  App: () => <PlainArticles articles={csrfArticles} />,
};

import { http, HttpResponse } from 'msw';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import type { MockAuth } from '../../../src/testing/index.js';
import { createCounter } from '../../support/RenderCounter.js';
import { ownApi } from '../../support/setupCookieApp.js';
import type { StoryStart } from '../../support/StoryStart.js';

/** A record that the same address answers differently for each user. */
class Own extends Entity {
  id = '';
  text = '';
}

/** How often the news are fetched, in milliseconds. */
const POLL_MS = 50;

/** A motto, and news that are polled. */
export const Owns = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/own/:id', schema: Own }).extend('getNews', {
    path: '/own/:id',
    schema: Own,
    pollFrequency: POLL_MS,
  }),
);

/** How many requests for news are answered at once for each user; the next one waits until it is released. */
const NEWS_ANSWERED = { ada: 1, grace: 2 };

/** A motto and news for each user. A subscription sends one poll at a time, so a held poll stops the count. */
export function setupOwnThings(auth: MockAuth) {
  const polls = { ada: createCounter(), grace: createCounter() };
  let waiting: (() => void)[] = [];
  const release = () => {
    for (const answer of waiting) answer();
    waiting = [];
  };
  const start: StoryStart = ({ msw }) => {
    release();
    for (const counter of Object.values(polls)) counter.reset();
    msw.use(
      http.get(`${ownApi}/own/:id`, async ({ request, cookies, params }) => {
        const incoming = { request, cookies };
        const refused = auth.authorize(incoming);
        if (refused) return refused;
        const who = auth.personOf(incoming)?.id === 'ada' ? 'ada' : 'grace';
        const name = who === 'ada' ? 'Ada’s' : 'Grace’s';
        if (params.id !== 'news') return HttpResponse.json({ id: params.id, text: `${name} motto` });
        polls[who].add();
        const number = polls[who].read();
        if (number > NEWS_ANSWERED[who]) await new Promise<void>(resolve => waiting.push(resolve));
        return HttpResponse.json({ id: params.id, text: `${name} news, no. ${number}` });
      }),
    );
  };
  return { polls, release, start };
}

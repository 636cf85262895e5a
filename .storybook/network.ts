// Applies the toolbar's network to the answers of a story, with any handlers.
import type { StoryContext } from '@storybook/react-vite';
import { http, HttpResponse, type HttpHandler } from 'msw';
import { isPageAsset } from './page-assets.js';

/** How long a slow answer takes, in milliseconds: long enough to see the widgets' loading states. */
const SLOW_MS = 1_500;

/** The session's auth calls. They do not expire the credentials. */
const OWN_CALL = /\/(login|logout|refresh|whoami|csrf)$/;

/** Adds a handler before all other handlers of the story. They answer the requests that it does not answer. */
export function setUpNetwork({ choices, msw, expireCredentials }: StoryContext): void {
  const handler = handlerFor(choices.network, expireCredentials);
  if (handler) msw.use(handler);
}

function handlerFor(network: string | undefined, expire?: () => void): HttpHandler | undefined {
  const slow = () => new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), SLOW_MS));
  let areGood = true;
  const expired = ({ url }: Request) => {
    if (!areGood || OWN_CALL.test(new URL(url).pathname)) return undefined;
    areGood = false;
    expire?.();
    return undefined;
  };
  const answer = { slow, offline: () => HttpResponse.error(), expired }[network ?? ''];
  return answer && http.all('*', ({ request }) => (isPageAsset(request) ? undefined : answer(request)));
}

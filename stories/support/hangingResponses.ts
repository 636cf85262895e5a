import { http, HttpResponse } from 'msw';
import type { StoryStart } from './StoryStart.js';

/** Requests to these addresses get no answer until the story ends. */
export function hangingResponses(...urls: readonly string[]): StoryStart {
  return ({ msw }) => {
    let end = () => {};
    const over = new Promise<void>(resolve => (end = resolve));
    const silent = async () => {
      await over;
      return HttpResponse.error();
    };
    msw.use(...urls.map(url => http.all(url, silent)));
    return () => end();
  };
}

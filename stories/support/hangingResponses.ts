import { http, HttpResponse } from 'msw';
import type { StoryStart } from './StoryStart.js';

/** Leaves requests to these addresses without an answer, until the story is over. */
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

import {
  requestLines,
  resourceHandlers,
  tokenAuthHandlers,
  type MockResourceSource,
  type ResourceHandlersOptions,
} from '../../src/testing/index.js';
import { api, articleResource, people, rows } from './articles.js';
import type { StoryStart } from './StoryStart.js';

/** A `useInit` that adds Ada's token, for stories of the REST layer without a session. */
export const useAda = () => ({ headers: { 'Access-Token': 'ada-1' } });

/** A server with the records of one resource. It answers 401 to a request without Ada's token. */
export function setupRestApi<Row extends object>(
  source: MockResourceSource,
  rows: readonly Row[],
  options: ResourceHandlersOptions<Row> = {},
) {
  const server = tokenAuthHandlers({ url: api, people });
  const records = resourceHandlers(source, rows, { auth: server, ...options });
  const start: StoryStart = ({ msw, auth }) => {
    if (auth.isRerender) return;
    server.reset();
    records.reset();
    server.signIn('ada');
    msw.use(...server.handlers, ...records.handlers);
  };
  return { server, records, sent: requestLines({ prefix: api }), start };
}

/** The same with two articles of each user. */
export const setupArticleApi = () => setupRestApi(articleResource(), rows);

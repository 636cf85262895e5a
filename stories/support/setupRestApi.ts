import {
  requestLines,
  resourceHandlers,
  tokenAuthHandlers,
  type MockResourceSource,
  type ResourceHandlersOptions,
} from '../../src/testing/index.js';
import { api, people } from './articles.js';
import type { StoryStart } from './StoryStart.js';

/** A `useInit` that brings Ada's token, for stories of the REST layer alone: no session, no provider. */
export const useAda = () => ({ headers: { 'Access-Token': 'ada-1' } });

/** A server that answers 401 without Ada's token, and the records of one resource behind it. */
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

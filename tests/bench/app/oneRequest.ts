import { RestEndpoint, type RestGenerics } from '@data-client/rest';
import { authEndpoint } from '../../../src/index.js';
import { localSession } from './notes.js';

const { signal } = new AbortController();

/** What the browser itself takes for the options of a request with a credential: the same options as the kit’s, in a bare endpoint. */
class SameOptions<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getRequestInit(body: any): Promise<RequestInit> {
    const init = await super.getRequestInit(body);
    return {
      ...init,
      headers: { ...init.headers, Authorization: 'Bearer ada' },
      cache: 'no-store',
      redirect: 'manual',
      signal,
    };
  }
}

/** Prepares requests one after the other, to a server that answers at once; the runner reads the CPU time around them. */
export async function oneRequest(base: string) {
  const session = localSession();
  await session.login('ada');
  const options = { urlPrefix: location.origin + base, path: '/data/:id' } as const;
  const bare = new RestEndpoint(options);
  const kit = new (authEndpoint(session))(options);
  const sameOptions = new SameOptions(options);
  const endpoints: Record<string, (params: { id: string }) => Promise<unknown>> = {
    'bare RestEndpoint': bare,
    'data-client-auth': kit,
    'bare, with the same options of fetch': sameOptions,
  };
  return {
    names: Object.keys(endpoints),
    send: async (name: string, times: number) => {
      for (let id = 0; id < times; id++) await endpoints[name]!({ id: `${id}` });
    },
  };
}

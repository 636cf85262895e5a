import { RestEndpoint, type RestGenerics } from '@data-client/rest';
import { authEndpoint } from '../../../src/index.js';
import { localSession } from './notes.js';

/** What the browser itself takes for a credential in a header that follows no redirect, on a request that can be called off. */
class EndpointWithExtras<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getRequestInit(body: any): Promise<RequestInit> {
    return {
      ...(await super.getRequestInit(body)),
      headers: new Headers({ Authorization: 'Bearer ada' }),
      redirect: 'manual',
      signal: new AbortController().signal,
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
  const withExtras = new EndpointWithExtras(options);
  const endpoints: Record<string, (params: { id: string }) => Promise<unknown>> = {
    'bare RestEndpoint': bare,
    'data-client-auth': kit,
    'bare, with a header, a signal and no redirects': withExtras,
  };
  return {
    names: Object.keys(endpoints),
    send: async (name: string, times: number) => {
      for (let id = 0; id < times; id++) await endpoints[name]!({ id: `${id}` });
    },
  };
}

import { createAlova } from 'alova';
import { createServerTokenAuthentication } from 'alova/client';
import adapterFetch from 'alova/fetch';
import { EXPIRED, FIRST_REFRESH_TOKEN, type Client } from './Client.js';

/** @see https://alova.js.org/tutorial/client/strategy/token-authentication */
export async function alova(baseURL: string): Promise<Client> {
  let accessToken = EXPIRED;
  let refreshToken = FIRST_REFRESH_TOKEN;
  const { onAuthRequired, onResponseRefreshToken } = createServerTokenAuthentication<never, typeof adapterFetch>({
    assignToken: method => {
      method.config.headers.Authorization = `Bearer ${accessToken}`;
    },
    refreshTokenOnSuccess: {
      isExpired: response => response.status === 401,
      handler: async () => {
        const refresh = instance.Post<{ accessToken: string; refreshToken: string }>('/refresh', { refreshToken });
        refresh.meta = { authRole: 'refreshToken' };
        ({ accessToken, refreshToken } = await refresh);
      },
    },
  });
  const instance = createAlova({
    baseURL,
    requestAdapter: adapterFetch(),
    beforeRequest: onAuthRequired(),
    responded: onResponseRefreshToken(async (response: Response) => {
      if (!response.ok) throw new Error(response.statusText);
      return response.json() as Promise<unknown>;
    }),
  });
  return { get: id => instance.Get(`/data/${id}`).send() };
}

import { cacheExchange, createClient, fetchExchange, gql } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { EXPIRED, FIRST_REFRESH_TOKEN, type Client } from './Client.js';

const NOTE = gql<{ note: object }, { id: string }>`
  query Note($id: ID!) {
    note(id: $id) {
      id
      title
    }
  }
`;

const REFRESH = gql<{ refresh: { accessToken: string; refreshToken: string } }, { refreshToken: string }>`
  mutation Refresh($refreshToken: String!) {
    refresh(refreshToken: $refreshToken) {
      accessToken
      refreshToken
    }
  }
`;

/** @see https://nearform.com/open-source/urql/docs/advanced/authentication/ */
export async function urql(urlPrefix: string): Promise<Client> {
  const client = createClient({
    url: `${urlPrefix}/graphql`,
    preferGetMethod: false,
    exchanges: [
      cacheExchange,
      authExchange(async utils => {
        let token: string | undefined = EXPIRED;
        let refreshToken: string | undefined = FIRST_REFRESH_TOKEN;
        return {
          addAuthToOperation: operation =>
            token ? utils.appendHeaders(operation, { Authorization: `Bearer ${token}` }) : operation,
          didAuthError: error => (error.response as Response | undefined)?.status === 401,
          refreshAuth: async () => {
            const { data } = await utils.mutate(REFRESH, { refreshToken: refreshToken ?? '' });
            token = data?.refresh.accessToken;
            refreshToken = data?.refresh.refreshToken;
          },
        };
      }),
      fetchExchange,
    ],
  });
  return {
    get: async id => {
      const { data, error } = await client.query(NOTE, { id }).toPromise();
      if (error) throw error;
      return data;
    },
  };
}

import { RestEndpoint, type RestGenerics } from '@data-client/rest';
import createClient from 'openapi-fetch';
import { persisted } from './persisted';
import type { paths } from './schema';

export interface User {
  id: string;
  name: string;
}

export interface Credentials {
  username: string;
  password: string;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
  user: User;
}

const auth = {
  login: new RestEndpoint({
    path: '/api/login',
    method: 'POST',
    body: {} as Credentials,
    process: (tokens: Tokens) => tokens,
  }),
  refresh: new RestEndpoint({
    path: '/api/refresh',
    method: 'POST',
    body: {} as { refreshToken: string | undefined },
    process: (tokens: Tokens) => tokens,
  }),
};

const tokens = persisted<Tokens>('tokens');
const fresh = async (t = tokens.get()) => (t && t.expiresAt < Date.now() ? tokens.set(await auth.refresh(t)) : t);

export const getUser = () => tokens.get()?.user;
export const getToken = async () => (await fresh())?.accessToken ?? '';
export const login = async (credentials: Credentials) => tokens.set(await auth.login(credentials));
export const logout = async () => tokens.remove();

export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
    return { ...headers, Authorization: `Bearer ${await getToken()}` };
  }
}

/** For what has no record: typed by the server's OpenAPI file. */
export const client = createClient<paths>({ baseUrl: location.origin });
client.use({ onRequest: async ({ request }) => request.headers.set('Authorization', `Bearer ${await getToken()}`) });

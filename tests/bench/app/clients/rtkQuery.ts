import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import {
  createApi,
  fetchBaseQuery,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
} from '@reduxjs/toolkit/query';
import { Mutex } from 'async-mutex';
import { EXPIRED, FIRST_REFRESH_TOKEN, type Client } from './Client.js';

interface Tokens {
  accessToken: string | undefined;
  refreshToken: string | undefined;
}

/** @see https://redux-toolkit.js.org/rtk-query/usage/customizing-queries#preventing-multiple-unauthorized-errors */
export async function rtkQuery(baseUrl: string): Promise<Client> {
  const initialState: Tokens = { accessToken: EXPIRED, refreshToken: FIRST_REFRESH_TOKEN };
  const auth = createSlice({
    name: 'auth',
    initialState,
    reducers: {
      tokenReceived: (_, { payload }: PayloadAction<Tokens>) => payload,
      loggedOut: () => ({ accessToken: undefined, refreshToken: undefined }),
    },
  });
  const tokens = (state: unknown) => (state as { auth: Tokens }).auth;
  const baseQuery = fetchBaseQuery({
    baseUrl,
    prepareHeaders: (headers, { getState }) => {
      const { accessToken } = tokens(getState());
      if (accessToken) headers.set('Authorization', `Bearer ${accessToken}`);
      return headers;
    },
  });
  const mutex = new Mutex();
  const baseQueryWithReauth: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError> = async (
    args,
    api,
    extraOptions,
  ) => {
    await mutex.waitForUnlock();
    let result = await baseQuery(args, api, extraOptions);
    if (result.error?.status !== 401) return result;
    if (mutex.isLocked()) {
      await mutex.waitForUnlock();
      return baseQuery(args, api, extraOptions);
    }
    const release = await mutex.acquire();
    try {
      const { refreshToken } = tokens(api.getState());
      const refreshed = await baseQuery({ url: '/refresh', method: 'POST', body: { refreshToken } }, api, extraOptions);
      if (refreshed.data) {
        api.dispatch(auth.actions.tokenReceived(refreshed.data as Tokens));
        result = await baseQuery(args, api, extraOptions);
      } else {
        api.dispatch(auth.actions.loggedOut());
      }
    } finally {
      release();
    }
    return result;
  };
  const api = createApi({
    baseQuery: baseQueryWithReauth,
    endpoints: build => ({ note: build.query<object, string>({ query: id => `/data/${id}` }) }),
  });
  const store = configureStore({
    reducer: { auth: auth.reducer, [api.reducerPath]: api.reducer },
    middleware: defaults => defaults().concat(api.middleware),
  });
  return { get: id => store.dispatch(api.endpoints.note.initiate(id)).unwrap() };
}

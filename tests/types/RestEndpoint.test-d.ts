// The classes are written as readers write them.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { expectTypeOf, test } from 'vitest';
import {
  authEndpoint,
  createTokenSession,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
} from '../../src/index.js';

class Article extends Entity {
  id = '';
  title = '';
}

const session = createTokenSession({ login: async (name: string) => ({ accessToken: name }) });

class SyncEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare accessToken?: string;

  override getHeaders(headers: HeadersInit): HeadersInit {
    return this.accessToken ? { ...headers, 'Access-Token': this.accessToken } : headers;
  }
}

class AsyncEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getRequestInit(body: any): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'same-origin' };
  }

  override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
    return { ...(await super.getHeaders(headers)), 'X-Method': this.method, 'X-Path': this.path };
  }
}

class DeeperEndpoint<O extends RestGenerics = any> extends AsyncEndpoint<O> {
  override parseResponse(response: Response): Promise<any> {
    return super.parseResponse(response);
  }
}

class SessionEndpoint<O extends RestGenerics = any> extends authEndpoint(session)<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'X-Client': 'desk' };
  }
}

test('a subclass is as generic as its base', () => {
  for (const Endpoint of [
    RestEndpoint,
    SyncEndpoint,
    AsyncEndpoint,
    DeeperEndpoint,
    SessionEndpoint,
    authEndpoint(session),
  ]) {
    expectTypeOf(Endpoint).toExtend<new (options: never) => object>();
  }
  const sync = new SyncEndpoint({ path: '/article/:id', schema: Article });
  expectTypeOf(sync).toBeCallableWith({ id: '5' });
  expectTypeOf(sync.schema).toEqualTypeOf<typeof Article>();
  // @ts-expect-error The param is missing.
  void sync({});
  const bound = new SessionEndpoint({ path: '/article/:id', method: 'POST', body: {} as { title: string } });
  expectTypeOf(bound).toBeCallableWith({ id: '5' }, { title: 'On knocking' });
  // @ts-expect-error The field is missing.
  void bound({ id: '5' }, {});
});

test('a subclass cannot change what an overridable member is', () => {
  class _Wrong<O extends RestGenerics = any> extends RestEndpoint<O> {
    // @ts-expect-error Headers are no text.
    override getHeaders(): string {
      return '';
    }
  }
});

test('a resource takes any of the classes, and its endpoints can be extended', () => {
  for (const Endpoint of [SyncEndpoint, AsyncEndpoint, DeeperEndpoint, SessionEndpoint, authEndpoint(session)]) {
    const ArticleResource = resource({ path: '/article/:id', schema: Article, Endpoint });
    expectTypeOf(ArticleResource.get).toBeCallableWith({ id: '5' });
    const withToken = ArticleResource.partialUpdate.extend({ accessToken: 'ada-1' });
    expectTypeOf(withToken).toBeCallableWith({ id: '5' }, { title: 'On knocking' });
    // @ts-expect-error The extended endpoint keeps its params.
    void withToken({}, { title: 'On knocking' });
  }
});

test('a wildcard types an endpoint of its own as it types a resource', () => {
  const file = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/:owner/*file' });
  expectTypeOf(file).toBeCallableWith({ owner: 'ada', file: 'a/b' });
  expectTypeOf(file).toBeCallableWith({ owner: 'ada', file: ['a', 'b'] });
  // @ts-expect-error The wildcard is missing.
  void file({ owner: 'ada' });
});

test('an endpoint says whether it is public, and by process what it answers', () => {
  const health = new RestEndpoint({ path: '/health', public: true, process: (value): { up: boolean } => value });
  expectTypeOf(health()).resolves.toEqualTypeOf<{ up: boolean }>();
  // @ts-expect-error Public or not.
  void new RestEndpoint({ path: '/health', public: 'yes' });
});

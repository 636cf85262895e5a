// Runs one play below data-client's own provider, and below the kit's, with the endpoints of each: the same calls, the same results.
import { __INTERNAL__, CacheProvider, Controller, getDefaultManagers, useController } from '@data-client/react';
import * as rest from '@data-client/rest';
import { cleanup, render } from '@testing-library/react';
import { Component, Suspense, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import * as kit from '../../../src/index.js';
import { articleServer } from './articleServer.js';

export const API = 'https://api.example.com';

/** What an app imports: of data-client, or of the kit. */
export type Library = Pick<
  typeof kit,
  'resource' | 'RestEndpoint' | 'Entity' | 'Collection' | 'hookifyResource' | 'useEndpoint'
>;

class StockEntity extends rest.Entity {
  declare id?: string;

  override pk() {
    return this.id ? this.id : undefined;
  }
}

const stock = {
  resource: rest.createResource,
  RestEndpoint: rest.RestEndpoint,
  Entity: StockEntity,
  Collection: rest.schema.Collection,
  hookifyResource: (resource: object) => rest.hookifyResource(resource, () => ({})),
  useEndpoint: (endpoint: unknown) => endpoint,
} as unknown as Library;

/** Answers a request. A `Response` is sent as it is, null as 204, and anything else as JSON. */
export type Server = (request: string, body: unknown) => unknown;

/** One app, below one of the providers. */
export interface Side {
  readonly library: Library;
  /** `METHOD /path` of each request so far. */
  readonly requests: readonly string[];
  readonly controller: () => Controller;
  /** Shows these elements in the place of those before. */
  readonly show: (node: ReactNode) => void;
  /** Shows what the hook returns, as JSON. */
  readonly showResult: (useResult: () => unknown) => void;
  /** How often the hook of `showResult` has run. The same only where a play waits after each step: React renders several steps at once. */
  readonly renders: () => number;
  readonly text: () => string;
  /** Waits until no component is loading, and React has rendered what has arrived. */
  readonly settled: () => Promise<void>;
  /** The text at each `settled`. */
  readonly shown: readonly string[];
}

class ErrorText extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    return this.state.error ? this.state.error.message : this.props.children;
  }
}

const PROVIDERS: Record<string, () => Promise<(node: ReactNode) => ReactNode>> = {
  'data-client': async () => node => (
    <CacheProvider
      managers={getDefaultManagers()}
      initialState={__INTERNAL__.initialState}
      Controller={Controller}
      devButton={null}
    >
      {node}
    </CacheProvider>
  ),
  TokenAuthProvider: async () => {
    const session = kit.createTokenSession({
      login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
      trustedOrigins: [API],
    });
    await session.login();
    return node => <kit.TokenAuthProvider session={session}>{node}</kit.TokenAuthProvider>;
  },
  CookieAuthProvider: async () => {
    const ada = async () => ({ id: 'ada' });
    const session = kit.createCookieSession({ login: ada, whoami: ada, trustedOrigins: [API] });
    await session.login();
    return node => <kit.CookieAuthProvider session={session}>{node}</kit.CookieAuthProvider>;
  },
};

async function setup(provide: (node: ReactNode) => ReactNode, library: Library, server: Server): Promise<Side> {
  const requests: string[] = [];
  let reads = 0;
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const request = `${method} ${url.replace(API, '')}`;
    requests.push(request);
    const read = method === 'GET' ? 1 : 0;
    reads += read;
    const answer = await server(request, typeof body === 'string' ? JSON.parse(body) : body);
    reads -= read;
    if (answer instanceof Response) return answer;
    return answer === null ? new Response(null, { status: 204 }) : Response.json(answer);
  });
  let controller: Controller;
  function GrabController() {
    controller = useController();
    return null;
  }
  const app = (node: ReactNode) =>
    provide(
      <>
        <GrabController />
        <ErrorText>
          <Suspense fallback="loading">{node}</Suspense>
        </ErrorText>
      </>,
    );
  const { container, rerender } = render(app(null));
  const shown: string[] = [];
  let renders = 0;
  const show = (node: ReactNode) => rerender(app(node));
  return {
    library,
    requests,
    shown,
    show,
    renders: () => renders,
    showResult: useResult => {
      function Result() {
        renders++;
        return <>{toText(useResult())}</>;
      }
      show(<Result />);
    },
    controller: () => controller,
    text: () => container.textContent ?? '',
    settled: async () => {
      // Unchanged for some turns: data-client sends a read when the browser is idle, and React renders its answer later.
      let before = '';
      for (let unchanged = 0; unchanged < 4;) {
        await new Promise(resolve => setTimeout(resolve, 15));
        const now = `${requests.length} ${reads} ${renders} ${container.textContent}`;
        const isLoading = reads > 0 || /loading(?!":false)/.test(now);
        unchanged = now === before && !isLoading ? unchanged + 1 : 0;
        before = now;
      }
      shown.push(container.textContent ?? '');
    },
  };
}

/** JSON, with errors by their name and status. */
export function toText(value: unknown): string {
  const readable = (_: string, field: unknown) =>
    field instanceof Error ? `${field.name} ${(field as { status?: number }).status}` : field;
  return JSON.stringify(value, readable) ?? 'undefined';
}

/** Plays below each provider. The result, the requests and the texts have to be those below data-client's own. */
export function testSideBySide(
  name: string,
  play: (side: Side) => Promise<unknown>,
  createServer: () => Server = articleServer,
): void {
  test(name, async () => {
    const silenced = (['warn', 'error'] as const).map(level => vi.spyOn(console, level).mockImplementation(() => {}));
    const results: Record<string, unknown> = {};
    for (const [provider, createProvider] of Object.entries(PROVIDERS)) {
      const library = provider === 'data-client' ? stock : kit;
      const side: Side = await setup(await createProvider(), library, createServer());
      const result = await play(side);
      results[provider] = { result, requests: [...side.requests], shown: [...side.shown] };
      cleanup();
    }
    vi.unstubAllGlobals();
    silenced.forEach(spy => spy.mockRestore());
    const { 'data-client': expected, ...others } = results;
    for (const [provider, result] of Object.entries(others)) expect(result, provider).toEqual(expected);
    // The play has come to its end there too, and not to an error of the test.
    expect((expected as { requests: string[] }).requests.length).toBeGreaterThan(0);
  });
}

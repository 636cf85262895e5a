import { authEndpoint, type Session } from '../../../src/index.js';

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  /** As it is, whatever the endpoint's prefix and path. */
  address: string;
  urlPrefix?: string;
  /** For an endpoint that carries no credentials. */
  public?: true;
  /** The endpoint's own cache mode. */
  cache?: RequestCache;
  /** The endpoint builds the request only after this. */
  after?: Promise<unknown>;
}

/** Calls an address with the session of an app, outside React; resolves with the answer. */
function send(
  session: Session<any, any>,
  { method, address, urlPrefix = '', cache, after, ...more }: Call,
): Promise<unknown> {
  class Raw extends authEndpoint(session) {
    override url() {
      return address;
    }
    override async getRequestInit(body: any): Promise<RequestInit> {
      await after;
      return super.getRequestInit(body);
    }
  }
  const endpoint = new Raw({
    urlPrefix,
    path: '/',
    method,
    ...more,
    ...(cache && { requestInit: { cache } }),
  } as never) as unknown as (body?: object) => Promise<unknown>;
  return endpoint(...(method === 'GET' ? [] : [{ title: 'x' }]));
}

/** The answer as JSON, or the status that refuses it. */
export async function readThrough(session: Session<any, any>, call: Call): Promise<string> {
  try {
    return JSON.stringify(await send(session, call));
  } catch (error) {
    return `refused with ${(error as { status?: number }).status}`;
  }
}

/** Resolves with `answered`, or with all that the error tells. */
export async function callThrough(session: Session<any, any>, call: Call): Promise<string> {
  try {
    await send(session, call);
    return 'answered';
  } catch (error) {
    const { name, message, stack } = error as Error;
    return `${name}: ${message}\n${stack}`;
  }
}

import { authEndpoint, type Session } from '../../../src/index.js';

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  /** As it is, whatever the endpoint's prefix and path. */
  address: string;
  urlPrefix?: string;
}

/** Calls an address with the session of an app, outside React; resolves with `answered`, or with all that the error tells. */
export async function callThrough(session: Session<any, any>, { method, address, urlPrefix = '' }: Call): Promise<string> {
  class Raw extends authEndpoint(session) {
    override url() {
      return address;
    }
  }
  const endpoint = new Raw({ urlPrefix, path: '/', method } as never) as unknown as (body?: object) => Promise<unknown>;
  try {
    await endpoint(...(method === 'GET' ? [] : [{ title: 'x' }]));
    return 'answered';
  } catch (error) {
    const { name, message, stack } = error as Error;
    return `${name}: ${message}\n${stack}`;
  }
}

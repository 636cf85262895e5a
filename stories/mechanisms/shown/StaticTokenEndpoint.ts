import { RestEndpoint, type RestGenerics } from '../../../src/index.js';

export class StaticTokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  static accessToken: string | undefined;

  override getHeaders(headers: HeadersInit): HeadersInit {
    const { accessToken } = StaticTokenEndpoint;
    if (!accessToken) return headers;
    return { ...headers, 'Access-Token': accessToken };
  }
}

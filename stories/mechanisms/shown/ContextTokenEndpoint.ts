import { RestEndpoint, type RestGenerics } from '../../../src/index.js';

export class ContextTokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare accessToken: string | undefined;

  override getHeaders(headers: HeadersInit): HeadersInit {
    if (!this.accessToken) return headers;
    return { ...headers, 'Access-Token': this.accessToken };
  }
}

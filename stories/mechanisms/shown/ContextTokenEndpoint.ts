import { RestEndpoint, type RestGenerics } from '../../../src/index.js';

export class ContextTokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare accessToken?: string;

  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'Access-Token': this.accessToken ?? '' };
  }
}

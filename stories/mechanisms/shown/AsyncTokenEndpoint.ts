import { RestEndpoint, type RestGenerics } from '../../../src/index.js';
import { vault } from './vault.js';

export class AsyncTokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
    return { ...headers, 'Access-Token': await vault.readToken() };
  }
}

import { RestEndpoint, type RestGenerics } from '../../../src/index.js';
import { getAuthToken } from './authToken.js';

export class FunctionTokenEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    const accessToken = getAuthToken();
    if (!accessToken) return headers;
    return { ...headers, 'Access-Token': accessToken };
  }
}

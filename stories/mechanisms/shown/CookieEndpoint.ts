import { RestEndpoint, type RestGenerics } from '../../../src/index.js';

export class CookieEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getRequestInit(body: any): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'same-origin' };
  }
}

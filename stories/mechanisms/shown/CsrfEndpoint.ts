import type { RestGenerics } from '../../../src/index.js';
import { CookieEndpoint } from './CookieEndpoint.js';

function readCookie(name: string): string {
  return document.cookie.split('; ').find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

export class CsrfEndpoint<O extends RestGenerics = any> extends CookieEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    if (this.method === 'GET') return headers;
    return { ...headers, 'X-CSRFToken': readCookie('csrftoken') };
  }
}

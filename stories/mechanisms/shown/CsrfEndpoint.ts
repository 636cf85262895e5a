import type { RestGenerics } from '../../../src/index.js';
import { CookieEndpoint } from './CookieEndpoint.js';

function readCookie(name: string): string | undefined {
  return document.cookie
    .split('; ')
    .find(pair => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

export class CsrfEndpoint<O extends RestGenerics = any> extends CookieEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    const csrfToken = readCookie('csrftoken');
    if (this.method === 'GET' || !csrfToken) return headers;
    return { ...headers, 'X-CSRFToken': csrfToken };
  }
}

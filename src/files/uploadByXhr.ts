import { isDevelopment } from '../isDevelopment.js';
import type { Transport } from '../session/extension.js';
import { warnOnce } from '../warnOnce.js';
import { isRedirectedSafely } from './sendFile.js';
import type { OnProgress } from './useTransfer.js';

/**
 * Makes a transport that reports the progress of an upload, which no `fetch` does. `XMLHttpRequest` follows each redirect with all headers,
 * so it is used only where that takes no credential along. Otherwise `fetch` sends, and there is no progress.
 *
 * @param neverRedirects The app says so of the address.
 */
export function uploadByXhr(onProgress: OnProgress, neverRedirects: boolean): Transport {
  return (url, init) => {
    const isAllowed = neverRedirects || isRedirectedSafely(init);
    if (isDevelopment && !isAllowed)
      warnOnce(
        `The upload to ${url.replace(/[?#].*$/s, '')} shows no progress: its credential, or its CSRF token, is in a header that XMLHttpRequest would send on after a redirect. If that address never redirects, call upload(address, body, { neverRedirects: true }).`,
      );
    // XMLHttpRequest sends cookies to the page's own origin in any case.
    return isAllowed && init.credentials !== 'omit' ? send(url, init, onProgress) : fetch(url, init);
  };
}

function send(
  url: string,
  { method, headers, body, credentials, signal, redirect }: RequestInit,
  onProgress: OnProgress,
) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const fail = () => reject(signal?.aborted ? (signal.reason as Error) : new TypeError('Failed to fetch'));
    request.open(method ?? 'POST', url);
    request.responseType = 'blob';
    request.withCredentials = credentials === 'include';
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => {
      const { status, statusText, responseURL } = request;
      const isRedirected = responseURL !== new URL(url, document.baseURI).href.replace(/#.*$/s, '');
      // The session refuses it, as it does one of `fetch`.
      if (isRedirected && redirect === 'manual') return resolve(new Response(null, { status: 307 }));
      // Nothing else may be the body of such a response.
      const answer = [204, 205, 304].includes(status) ? null : (request.response as Blob);
      return resolve(new Response(answer, { status, statusText, headers: headersOf(request) }));
    };
    request.onerror = request.onabort = fail;
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(body as XMLHttpRequestBodyInit);
  });
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().match(/[^\r\n]+/g) ?? [];
  return new Headers(lines.map(line => line.split(/: (.*)/s, 2) as [string, string]));
}

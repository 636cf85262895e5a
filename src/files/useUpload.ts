import { useCallback } from 'react';
import { untilAborted } from '../clock.js';
import { sendFile } from './sendFile.js';
import { uploadByXhr } from './uploadByXhr.js';
import { useTransfer, type Transfer, type TransferOptions } from './useTransfer.js';

export interface UploadOptions extends TransferOptions {
  /** @default 'POST' */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | undefined;
  /** More headers of the request. @default none */
  readonly headers?: HeadersInit | undefined;
  /**
   * True if the address never redirects. Then there is progress too where the session has another header than `Authorization`, a CSRF
   * token, or cookies of another origin: `XMLHttpRequest` would send them on. @default false
   */
  readonly neverRedirects?: boolean | undefined;
}

/** What can be sent twice. */
export type UploadBody = Blob | FormData | URLSearchParams | ArrayBuffer | string;

export interface Upload extends Transfer {
  /**
   * Sends a body as the current user, and once more after a refused credential. Waits first for a refresh that is due. The same function
   * until the identity changes.
   *
   * @throws FileRequestError for a status that is no success, an `AbortError` when it is cancelled or its user leaves, and what
   * `session.fetch` throws. A caller may ignore the promise.
   */
  readonly upload: (address: string | URL, body: UploadBody, options?: UploadOptions) => Promise<Response>;
}

/**
 * Uploads files as the current user, with progress and a way to cancel.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const { upload, progress, cancel } = useUpload();
 * <input type="file" onChange={event => void upload('/attachments', event.target.files[0])} />
 */
export function useUpload(): Upload {
  const { start, ...transfer } = useTransfer('useUpload()');
  const upload: Upload['upload'] = useCallback(
    (address, body, { method = 'POST', headers, neverRedirects = false, ...options } = {}) =>
      start(options, async (bound, signal, onProgress) => {
        // A refresh before is cheaper than a body that is sent twice. If it fails, the request itself says so.
        await untilAborted(signal, bound.session.getUsableCredential()).catch(() => signal.throwIfAborted());
        return sendFile(
          bound,
          address,
          { method, body, signal, ...(headers && { headers }) },
          uploadByXhr(onProgress, neverRedirects),
        );
      }),
    [start],
  );
  return { ...transfer, upload };
}

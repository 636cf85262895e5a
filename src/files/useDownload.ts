import { useCallback } from 'react';
import { fileName, safeName } from './fileName.js';
import { saveFile } from './saveFile.js';
import { fetchFile, FileRequestError, sendFile } from './sendFile.js';
import { useTransfer, type Transfer, type TransferOptions } from './useTransfer.js';

export interface DownloadOptions extends TransferOptions {
  /** The name of the file. @default that of the answer's `Content-Disposition`, else the last part of the address */
  readonly name?: string | undefined;
  /**
   * For a server that answers with the signed address of the file, in place of a redirect. The file is then fetched there, without
   * credentials, whatever origin it is.
   *
   * @example
   * download('/report', { readAddress: async answer => (await answer.json()).url });
   */
  readonly readAddress?: ((answer: Response) => string | Promise<string>) | undefined;
}

export interface Download extends Transfer {
  /**
   * Fetches a file as the current user, and saves it. A redirect to another origin is followed without the credential. From 32 MB on, a
   * browser with `showSaveFilePicker` asks where to save it, and writes it there as it arrives. Resolves when the file is saved, or in
   * the hands of the browser's downloads. The same function until the identity changes.
   *
   * @throws FileRequestError for a status that is no success, an `AbortError` when it is cancelled or its user leaves,
   * RedirectRefusedError when the credential would go to another origin, and what `session.fetch` throws. A caller may ignore the promise.
   */
  readonly download: (address: string | URL, options?: DownloadOptions) => Promise<void>;
}

/**
 * Saves files as the current user, with progress and a way to cancel.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const { download, isRunning } = useDownload();
 * <button disabled={isRunning} onClick={() => void download('/invoices/7.pdf')}>Download</button>
 */
export function useDownload(): Download {
  const { start, ...transfer } = useTransfer('useDownload()');
  const download: Download['download'] = useCallback(
    (address, { name, readAddress, ...options } = {}) =>
      start(options, async (bound, signal, onProgress) => {
        const answer = await sendFile(bound, address, { signal }, fetchFile);
        const response = readAddress ? await fetchSigned(await readAddress(answer), signal) : answer;
        const named = name ?? fileName(response.headers.get('Content-Disposition')) ?? lastPart(address);
        return saveFile(response, safeName(named) ?? 'download', signal, onProgress);
      }),
    [start],
  );
  return { ...transfer, download };
}

/** Fetches from an address that is the permission itself. */
async function fetchSigned(address: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(address, {
    credentials: 'omit',
    cache: 'no-store',
    signal,
  });
  if (!response.ok) throw new FileRequestError(address, response);
  return response;
}

function lastPart(address: string | URL): string | undefined {
  const [last = ''] = /[^/]*$/.exec(new URL(address, document.baseURI).pathname) ?? [];
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

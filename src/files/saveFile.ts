import type { OnProgress } from './useTransfer.js';

/** From this size on, a file goes to the disk as it arrives, where the browser can do that. */
const LARGE_BYTES = 32 * 2 ** 20;
/** Safari reads the address of a download after the click. */
const READ_WITHIN_MS = 40_000;

/** Not in TypeScript's `lib.dom`. @see https://wicg.github.io/file-system-access/#api-showsavefilepicker */
type ShowSaveFilePicker = (options: { suggestedName: string }) => Promise<{
  createWritable(): Promise<WritableStream<Uint8Array>>;
}>;

/** Saves the body of a response under a name. Rejects with the reason of the signal. */
export async function saveFile(
  response: Response,
  name: string,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const { headers } = response;
  // The length of a compressed body is not that of the file.
  const total = headers.has('Content-Encoding') ? 0 : Number(headers.get('Content-Length'));
  const body = (response.body ?? new Blob().stream()).pipeThrough(counted(total, onProgress));
  const file = total >= LARGE_BYTES ? await pickFile(name, body) : undefined;
  if (file) return body.pipeTo(file, { signal });
  const blob = await new Response(body, { headers }).blob();
  signal.throwIfAborted();
  return offer(blob, name, signal);
}

function counted(total: number, onProgress: OnProgress): TransformStream<Uint8Array, Uint8Array> {
  let loaded = 0;
  return new TransformStream({
    transform(chunk, controller) {
      onProgress((loaded += chunk.byteLength), total);
      controller.enqueue(chunk);
    },
  });
}

/** Asks the user for a place. Undefined where the browser cannot, or no longer takes this for the act of the user. */
async function pickFile(name: string, body: ReadableStream) {
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: ShowSaveFilePicker };
  try {
    return await (await showSaveFilePicker?.({ suggestedName: name }))?.createWritable();
  } catch (error) {
    if ((error as Error).name !== 'AbortError') return undefined;
    body.cancel().catch(() => {});
    throw error;
  }
}

/** Hands the file to the browser's downloads. */
function offer(blob: Blob, name: string, signal: AbortSignal): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  const forget = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', forget);
    URL.revokeObjectURL(url);
  };
  const timer = setTimeout(forget, READ_WITHIN_MS);
  signal.addEventListener('abort', forget);
}

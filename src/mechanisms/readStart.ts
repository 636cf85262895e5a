/**
 * Returns the first bytes of a response's body as text. Reads a copy, so that the caller can read the response too.
 *
 * @param signal Ends the reading; the promise then resolves with the text so far.
 * @throws TypeError when the body was read before, and the body's own error when it ends early.
 */
export async function readStart(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = response.clone().body?.getReader();
  if (!reader) return '';
  // A copy's `cancel()` settles only when the original is cancelled too: start it and do not wait.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.byteLength;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
  return text;
}

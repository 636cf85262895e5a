import type { Ticket } from './types.js';

/**
 * A ticket whose signal is aborted when the epoch ends or the caller gives up, whichever comes first.
 *
 * Its own controller rather than `AbortSignal.any`: a composed signal is kept alive as long as anybody listens to it (Node),
 * and a request's transport may listen for ever.
 */
export function createTicket(version: number, epochEnd: AbortSignal, callerSignal: AbortSignal | undefined): Ticket {
  const controller = new AbortController();
  const links = [epochEnd, callerSignal]
    .filter(source => source !== undefined)
    .map(source => ({ source, abort: () => controller.abort(source.reason) }));
  for (const { source, abort } of links) {
    if (source.aborted) abort();
    source.addEventListener('abort', abort, { once: true });
  }
  const release = () => {
    for (const { source, abort } of links) source.removeEventListener('abort', abort);
  };
  return { version, signal: controller.signal, callerSignal, release };
}

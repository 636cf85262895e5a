import { tryOrUndefined } from './tryOrUndefined.js';

/**
 * Opens a channel to the other pages of this origin. Returns undefined if the page has none: an old browser, or Firefox with storage denied
 * to the page, where the constructor throws.
 */
export function openChannel(address: string): BroadcastChannel | undefined {
  return tryOrUndefined(() => new BroadcastChannel(address));
}

import { useController, type Controller } from '@data-client/react';
import { useEffect } from 'react';

/** data-client collects stored responses and errors since 0.14; 0.10 keeps all of them. */
interface CollectingController extends Controller {
  readonly gcPolicy?: { createCountRef(options: { key: string }): () => (() => void) | undefined };
}

/** Keeps what the store holds for a key from data-client's garbage collection, until the returned function is called. */
export function keepStored(controller: Controller, key: string): (() => void) | undefined {
  return (controller as CollectingController).gcPolicy?.createCountRef({ key })();
}

/**
 * Keeps what the store holds for a key while the component is mounted. With undefined it keeps nothing.
 *
 * data-client's hooks do this for the data that they return, but not for an error. Without it, an error would be collected after
 * some minutes on the screen, and its request sent again.
 */
export function useKeepStored(key: string | undefined): void {
  const controller = useController();
  useEffect(() => (key === undefined ? undefined : keepStored(controller, key)), [controller, key]);
}

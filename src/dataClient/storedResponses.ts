import { StateContext, useController, type Controller } from '@data-client/react';
import { useContext, useEffect } from 'react';

/** The part of data-client's state that has the newest response of each key. The same from 0.10 to 0.18. */
interface Responses {
  readonly meta: Readonly<Record<string, { readonly expiresAt: number; readonly error?: Error } | undefined>>;
}

/**
 * When the newest response with this key expires, in milliseconds since 1970: 0 while the store has none, and at most 1 while it has to be
 * fetched again.
 */
export function useResponseExpiry(key: string): number {
  return expiryIn(useContext(StateContext), key);
}

/** `useResponseExpiry` outside a render. `controller.getResponse` says it too, but walks all rows of the response. */
export function getResponseExpiry(controller: Controller, key: string): number {
  return expiryIn(controller.getState(), key);
}

function expiryIn({ meta }: Responses, key: string): number {
  return meta[key]?.expiresAt ?? 0;
}

/** The error that the store holds for a key, also if the endpoint's `errorPolicy` hides it: it could not read the newest response. */
export function getStoredError(controller: Controller, key: string): Error | undefined {
  return (controller.getState() as Responses).meta[key]?.error;
}

/** The error of the newest fetch with this key, while the store has data from before it. */
export function useRefetchError(key: string): Error | undefined {
  const { meta, results } = useContext(StateContext) as Responses & { results: Readonly<Record<string, unknown>> };
  return results[key] === undefined ? undefined : meta[key]?.error;
}

/** data-client collects stored responses and errors since 0.14; 0.10 keeps all of them. */
type CollectingController = Controller & {
  readonly gcPolicy?: { createCountRef(options: { key: string }): () => (() => void) | undefined };
};

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

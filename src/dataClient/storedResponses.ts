import { StateContext, useController, type Controller } from '@data-client/react';
import { useContext, useEffect } from 'react';

/** What data-client's state says about the newest answer of a key. Another object for each answer, and when it expires. */
interface AnswerMeta {
  readonly expiresAt: number;
  /** Also where the endpoint's `errorPolicy` hides it. */
  readonly error?: Error;
}

/** The same from 0.10 to 0.18. The responses beside it are `results`, and later `endpoints`. */
interface Responses {
  readonly meta: Readonly<Record<string, AnswerMeta | undefined>>;
}

export function useAnswerMeta(key: string): AnswerMeta | undefined {
  return (useContext(StateContext) as Responses).meta[key];
}

/** `useAnswerMeta` outside a render. `controller.getResponse` walks all rows of the response. */
export function getAnswerMeta(controller: Controller, key: string): AnswerMeta | undefined {
  return (controller.getState() as Responses).meta[key];
}

/**
 * When the newest response with this key expires, in milliseconds since 1970: 0 while the store has none, and at most 1 while it has to be
 * fetched again.
 */
export function useResponseExpiry(key: string): number {
  return useAnswerMeta(key)?.expiresAt ?? 0;
}

/** `useResponseExpiry` outside a render. */
export function getResponseExpiry(controller: Controller, key: string): number {
  return getAnswerMeta(controller, key)?.expiresAt ?? 0;
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

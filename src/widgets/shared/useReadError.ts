import { useController, useError } from '@data-client/react';
import { useEffect, useState } from 'react';
import { getResponseExpiry } from '../../dataClient/storedResponses.js';
import { useKeepStored } from '../../dataClient/useKeepStored.js';
import { useLatest } from '../../providers/useLatest.js';
import { useAsyncActions } from '../actions/useAsyncAction.js';
import { getErrorStatus } from '../labels/failureKind.js';
import type { LooseEndpoint, LooseParams } from './resource.js';

interface ReadError {
  /** Undefined while there is none, and while the request is tried again before the error is shown. */
  readonly error: Error | undefined;
  /** True while an error from before this widget was mounted is not shown, and the request is tried again. */
  readonly isTriedAgain: boolean;
  readonly retry: () => void;
  /** True while a retry of this request is pending. */
  readonly pending: boolean;
}

/**
 * The error of a read, from the store, with its retry. An error whose cache time has passed, from before this widget was mounted, is not
 * shown: the request is tried again first.
 *
 * @param key The key of the request.
 * @throws the error when it has no `status`: it is a bug of the app, not an answer of the server.
 */
export function useReadError(endpoint: LooseEndpoint, params: LooseParams, key: string): ReadError {
  const controller = useController();
  const error: Error | undefined = useError(endpoint, params);
  useKeepStored(error && key);
  const { states, run } = useAsyncActions();
  const readStaleError = () => (error && getResponseExpiry(controller, key) < Date.now() ? error : undefined);
  const [stale, setStale] = useState(() => ({ key, error: readStaleError() }));
  if (stale.key !== key) setStale({ key, error: readStaleError() });
  const retry = () => run(key, () => controller.fetch(endpoint, params) as Promise<unknown>);
  const latestRetry = useLatest(retry);

  useEffect(() => {
    if (stale.error)
      latestRetry.current().then(undefined, () => setStale(current => ({ ...current, error: undefined })));
  }, [stale.error, latestRetry]);

  const isTriedAgain = error !== undefined && error === stale.error;
  if (error && !isTriedAgain && getErrorStatus(error) === undefined) throw error;
  return {
    error: isTriedAgain ? undefined : error,
    isTriedAgain,
    retry: () => void retry(),
    pending: states.get(key)?.pending ?? false,
  };
}

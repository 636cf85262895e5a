import { useController } from '@data-client/react';
import { useRef } from 'react';
import type { ItemActions, LooseEndpoint, LooseParams } from './resourceTypes.js';
import type { Mutations } from './useMutations.js';
import { useRun, type Run } from './useRun.js';

type AnyActions = ItemActions<{ useUpdate: unknown; usePartialUpdate: unknown; useDelete: unknown }, unknown>;

interface Acts {
  /** Every act, as `controller.fetch` sends it. */
  readonly actions: AnyActions;
  readonly run: Run;
}

/**
 * What can be done with one record, by `controller.fetch`.
 *
 * @param item The record, whose key a deletion that answers nothing is told by.
 * @param paramsFor Tells the params that name the record to an endpoint.
 * @param around Wraps a deletion, for what has to be prepared before it and tidied up when it fails.
 */
export function useItemActions(
  mutations: Mutations,
  item: object,
  paramsFor: (endpoint: LooseEndpoint) => LooseParams,
  around: (deletion: () => Promise<unknown>) => Promise<unknown> = deletion => deletion(),
): Acts {
  const controller = useController();
  const run = useRun();
  const removal = useRef<Promise<void>>(undefined);

  const change = (endpoint: LooseEndpoint) => (body: unknown) =>
    run.run(() => controller.fetch(endpoint, paramsFor(endpoint), body) as Promise<unknown>);

  const removeOnce = (endpoint: LooseEndpoint) => () => {
    removal.current ??= run.run(async () => {
      try {
        await around(() => controller.fetch(deletionOf(endpoint, item), paramsFor(endpoint)) as Promise<unknown>);
      } finally {
        removal.current = undefined;
      }
    });
    return removal.current;
  };

  const { update, partialUpdate, remove } = mutations;
  const actions = {
    pending: run.pending,
    error: run.error,
    ...(update && { update: change(update) }),
    ...(partialUpdate && { partialUpdate: change(partialUpdate) }),
    ...(remove && { remove: removeOnce(remove) }),
  };
  return { actions: actions as unknown as AnyActions, run };
}

/** A deletion that answers nothing results in its params (rule 7), and these need not hold the record's key: the record does. */
function deletionOf(endpoint: LooseEndpoint, item: object): LooseEndpoint {
  return endpoint.extend({ process: (value: unknown, params: object) => endpoint.process(value, { ...item, ...params }) });
}

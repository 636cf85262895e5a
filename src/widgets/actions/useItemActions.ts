import { useController } from '@data-client/react';
import { useRef } from 'react';
import { getPrimaryKey } from '../shared/params.js';
import type { ItemActions, LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
import type { AsyncActions, AsyncActionState } from './useAsyncAction.js';
import type { DeleteConfirmation } from './useDeleteConfirmation.js';
import type { Mutations } from './useMutations.js';

type AnyActions = ItemActions<{ useUpdate: unknown; usePartialUpdate: unknown; useDelete: unknown }, unknown>;

interface ItemActionsOptions {
  readonly mutations: Mutations;
  /** The record, whose key a deletion that answers nothing is told by. */
  readonly item: object;
  /** Tells one record from another in `run` and `ask`. */
  readonly itemKey: unknown;
  readonly state: AsyncActionState;
  readonly run: AsyncActions['run'];
  readonly confirmDeletion: DeleteConfirmation['confirmDeletion'];
  /** Tells the params that name the record to an endpoint. */
  readonly paramsFor: (endpoint: LooseEndpoint) => LooseParams;
  /** Wraps a deletion, for what has to be prepared before it and tidied up when it fails. */
  readonly around?: (deletion: () => Promise<unknown>) => Promise<unknown>;
}

/** What can be done with one record, by `controller.fetch`. */
export function useItemActions({ mutations, item, itemKey, state, run, confirmDeletion, paramsFor, around = deletion => deletion() }: ItemActionsOptions): AnyActions {
  const controller = useController();
  const removal = useRef<Promise<boolean>>(undefined);

  const change = (endpoint: LooseEndpoint) => (body: unknown) =>
    run(itemKey, () => controller.fetch(endpoint, paramsFor(endpoint), body) as Promise<unknown>);

  const removeOnce = (endpoint: LooseEndpoint) => () => {
    const deletion = toDeleteEndpoint(endpoint, item);
    const params = paramsFor(endpoint);
    const send = () => controller.fetch(deletion, params) as Promise<unknown>;
    // The store may go away with the widget, and would never answer; the request outlives the page.
    const sendLast = async () => {
      const last = deletion.extend({ requestInit: { ...endpoint.requestInit, keepalive: true } });
      void controller.setResponse(last, params, await last(params));
    };
    const isOptimistic = endpoint.getOptimisticResponse !== undefined;
    removal.current ??= confirmDeletion(itemKey, item, isLeaving => (isLeaving ? sendLast() : run(itemKey, () => around(send))), isOptimistic).finally(() => (removal.current = undefined));
    // Nobody has to catch it: its failure is in `error`.
    removal.current.catch(() => undefined);
    return removal.current;
  };

  const { update, partialUpdate, remove } = mutations;
  const actions = {
    pending: state.pending || isUnconfirmed(item),
    error: state.error,
    ...(update && { update: change(update) }),
    ...(partialUpdate && { partialUpdate: change(partialUpdate) }),
    ...(remove && { remove: removeOnce(remove) }),
  };
  return actions as unknown as AnyActions;
}

/** A record that is shown before the server has answered, and so has no key yet. */
export function isUnconfirmed(item: object | undefined): boolean {
  return typeof (item as { pk?: unknown } | undefined)?.pk === 'function' && getPrimaryKey(item as object) === undefined;
}

/**
 * A deletion that answers nothing results in its params (rule 7), and these need not hold the record's key: the record does.
 *
 * Where the resource is optimistic, the widget takes the record away. A store cannot: data-client 0.10 keeps a list without the row in
 * its memory of lists, and never shows it again when the deletion fails.
 */
function toDeleteEndpoint(endpoint: LooseEndpoint, item: object): LooseEndpoint {
  return endpoint.extend({
    process: (value: unknown, params: object) => endpoint.process(value, { ...item, ...params }),
    getOptimisticResponse: undefined,
  });
}

import { useController } from '@data-client/react';
import { useMemo, useRef, type KeyboardEvent, type MouseEvent, type SyntheticEvent } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { sendEdit } from '../shared/answeredRecord.js';
import { useReportedWrites } from '../shared/reportedRequests.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';
import { useAsyncActions, type AsyncActions, type AsyncActionState } from '../shared/useAsyncAction.js';
import { createDeletion } from './deletion.js';
import {
  useDeleteConfirmation,
  type DeleteConfirmation,
  type DeleteMode,
  type OnDeletion,
} from './useDeleteConfirmation.js';

/** What the actions of all records of a widget share. */
export interface WidgetActions extends AsyncActions, DeleteConfirmation {
  readonly mutations: Mutations;
  /** For the element around the widget. */
  readonly pressGuard: PressGuard;
}

interface WidgetActionsOptions {
  readonly resource: object;
  readonly deleteMode: DeleteMode | undefined;
  readonly getItemLabel: ((item: object) => string) | undefined;
  readonly onDeletion: OnDeletion;
  /** Names the record that the widget shows. @default it shows a list */
  readonly shown?: string;
}

/** Called above the boundary of a widget: an error that replaces the records for a while must not end the time to undo. */
export function useWidgetActions({ resource, shown, ...options }: WidgetActionsOptions): WidgetActions {
  const mutations = useMutations(resource);
  const { states, run } = useAsyncActions();
  const { pendingDeletions, confirmDeletion } = useDeleteConfirmation({
    ...options,
    endpoint: mutations.remove,
    shown,
  });
  const pressGuard = usePressGuard();
  return { mutations, states, run, pendingDeletions, confirmDeletion, pressGuard };
}

/** Event handlers for the element around a widget. */
interface PressGuard {
  readonly onClickCapture: (event: MouseEvent) => void;
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
}

const CONTROL = 'a, button, input, select, textarea, [role="button"]';

/**
 * Ignores the second press of a double click, and an Enter that repeats because the key is held, if the first press was on another control.
 *
 * A press may put another control under the pointer or give it the focus: the button of the next row, or “Undo”. The user has not seen it
 * when the second press comes. The browser counts presses at one place only.
 */
function usePressGuard(): PressGuard {
  const pressed = useRef<Element | null>(null);
  const check = (event: SyntheticEvent, isRepeated: boolean) => {
    const control = (event.target as Element).closest(CONTROL);
    if (!isRepeated) pressed.current = control;
    else if (control && control !== pressed.current) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return {
    onClickCapture: event => check(event, event.detail > 1),
    onKeyDownCapture: event => event.key === 'Enter' && check(event, event.repeat),
  };
}

/** The `ItemActions` of any resource: the widget's props have checked the types of its bodies and records. */
export interface LooseItemActions extends AsyncActionState {
  readonly update?: (body: unknown) => Promise<unknown>;
  readonly partialUpdate?: (body: unknown) => Promise<unknown>;
  readonly remove?: () => Promise<boolean>;
}

interface ItemActionsOptions extends Pick<WidgetActions, 'mutations' | 'run' | 'confirmDeletion'> {
  /** The record. Its key says what was deleted when the server answers a deletion with nothing. */
  readonly item: object;
  /** The key of the record in `run` and `confirmDeletion`. */
  readonly itemKey: string;
  readonly state: AsyncActionState;
  /** The params that name the record to an endpoint. */
  readonly paramsFor: (endpoint: LooseEndpoint) => LooseParams;
  /** Wraps a deletion, to prepare for it and to clean up when it fails. @default calls it */
  readonly aroundDeletion?: (deletion: () => Promise<unknown>) => Promise<unknown>;
}

/** The actions of one record, sent by `controller.fetch`. */
export function useItemActions(options: ItemActionsOptions): LooseItemActions {
  const {
    mutations,
    item,
    itemKey,
    state,
    run,
    confirmDeletion,
    paramsFor,
    aroundDeletion = deletion => deletion(),
  } = options;
  const controller = useController();
  const reportedWrite = useReportedWrites();

  const change = (action: string, endpoint: LooseEndpoint) => (body: unknown) => {
    assertNotRendering(action);
    return run(itemKey, () =>
      reportedWrite(endpoint, { action: 'update', on: item }, () =>
        sendEdit(controller, { endpoint, params: paramsFor(endpoint), body, record: item, get: mutations.get }),
      ),
    );
  };

  const removeWith = (endpoint: LooseEndpoint) => () => {
    assertNotRendering('remove');
    const deletion = createDeletion(controller, endpoint, item, paramsFor(endpoint));
    const reported = (send: () => Promise<unknown>) => reportedWrite(endpoint, { action: 'delete', on: item }, send);
    const deleteItem = (isLeaving: boolean) =>
      isLeaving ? reported(deletion.sendOnLeave) : run(itemKey, () => aroundDeletion(() => reported(deletion.send)));
    const hides = endpoint.getOptimisticResponse !== undefined;
    return confirmDeletion(itemKey, item, deleteItem, hides);
  };

  const { update, partialUpdate, remove } = mutations;
  return {
    pending: state.pending || isOptimistic(item),
    error: state.error,
    ...(update && { update: change('update', update) }),
    ...(partialUpdate && { partialUpdate: change('partialUpdate', partialUpdate) }),
    ...(remove && { remove: removeWith(remove) }),
  };
}

let isRendering = false;

/** Calls `renderItem`. Until it returns, no action may be called: `onClick={remove()}` would delete each row that is shown. */
export function callRenderItem<Args extends readonly unknown[], Result>(
  renderItem: (...args: Args) => Result,
  ...args: Args
): Result {
  isRendering = true;
  try {
    return renderItem(...args);
  } finally {
    isRendering = false;
  }
}

/** @throws Error that names the remedy, so that a call in a render sends nothing. */
function assertNotRendering(action: string): void {
  if (!isRendering) return;
  throw new Error(
    `${action}() was called while renderItem renders, so nothing was sent. Pass a function that the press calls: onClick={() => ${action}(…)}.`,
  );
}

/** Returns true for an optimistic record: it has no key until the server responds. */
export function isOptimistic(item: object | undefined): boolean {
  return (
    typeof (item as { pk?: unknown } | undefined)?.pk === 'function' && getPrimaryKey(item as object) === undefined
  );
}

/** The endpoints of a resource that change or read one record. Undefined where the resource has no such hook. */
interface Mutations {
  readonly get: LooseEndpoint | undefined;
  readonly update: LooseEndpoint | undefined;
  readonly partialUpdate: LooseEndpoint | undefined;
  readonly remove: LooseEndpoint | undefined;
}

interface MutationHooks {
  useGet?: () => LooseEndpoint;
  useUpdate?: () => LooseEndpoint;
  usePartialUpdate?: () => LooseEndpoint;
  useDelete?: () => LooseEndpoint;
}

/** Calls the resource's hooks in render, so that event handlers can use the endpoints. */
function useMutations(resource: object): Mutations {
  const hooks = resource as MutationHooks;
  const get = hooks.useGet?.();
  const update = hooks.useUpdate?.();
  const partialUpdate = hooks.usePartialUpdate?.();
  const remove = hooks.useDelete?.();
  return useMemo(() => ({ get, update, partialUpdate, remove }), [get, update, partialUpdate, remove]);
}

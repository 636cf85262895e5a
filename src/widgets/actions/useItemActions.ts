import { useController } from '@data-client/react';
import { useMemo, useRef, type KeyboardEvent, type MouseEvent, type SyntheticEvent } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { Invalidate } from '../../dataClient/rest.js';
import { A_PAGE, isPage } from '../../pageAnswer.js';
import { failureKind } from '../labels/failureKind.js';
import { toEditEndpoint } from '../shared/answeredRecord.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';
import { useReportedWrites } from '../shared/reportedRequests.js';
import { useAsyncActions, type AsyncActions, type AsyncActionState } from './useAsyncAction.js';
import { useDeleteConfirmation, type DeleteConfirmation, type DeleteMode } from './useDeleteConfirmation.js';

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
  /** Names the record that the widget shows. @default it shows a list */
  readonly shown?: string;
}

/** Called above the boundary of a widget: an error that replaces the records for a while must not end the time to undo. */
export function useWidgetActions({ resource, deleteMode, getItemLabel, shown }: WidgetActionsOptions): WidgetActions {
  const mutations = useMutations(resource);
  const { states, run } = useAsyncActions();
  const { pendingDeletions, confirmDeletion } = useDeleteConfirmation({
    deleteMode,
    getItemLabel,
    endpoint: mutations.remove,
    shown,
  });
  const pressGuard = usePressGuard();
  return { mutations, states, run, pendingDeletions, confirmDeletion, pressGuard };
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
  readonly itemKey: unknown;
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
  const removal = useRef<Promise<boolean>>(undefined);

  const change = (endpoint: LooseEndpoint) => (body: unknown) =>
    run(itemKey, () =>
      reportedWrite(
        endpoint,
        { action: 'update', on: item },
        () => controller.fetch(toEditEndpoint(endpoint, item), paramsFor(endpoint), body) as Promise<unknown>,
      ),
    );

  const removeOnce = (endpoint: LooseEndpoint) => () => {
    const deletion = toDeleteEndpoint(endpoint, item);
    const params = paramsFor(endpoint);
    const asked = { action: 'delete', on: item };
    /** The server has no such record: others have deleted it, and it goes here too. */
    const toGoneAnswer = (error: Error) => {
      if (failureKind(error) === 'not-found') return { ...params, ...item };
      throw error;
    };
    const send = () =>
      reportedWrite(endpoint, asked, () =>
        (controller.fetch(deletion, params) as Promise<unknown>).catch((error: Error) =>
          controller.setResponse(deletion, params, toGoneAnswer(error)),
        ),
      );
    // Not by `controller.fetch`: the store may go away with the widget and would never answer. `keepalive` lets the
    // request outlive the page.
    const sendOnLeave = async () => {
      const last = deletion.extend({ requestInit: { ...endpoint.requestInit, keepalive: true } });
      const answer = await reportedWrite(endpoint, asked, () => last(params).catch(toGoneAnswer));
      void controller.setResponse(last, params, answer);
    };
    const hides = endpoint.getOptimisticResponse !== undefined;
    const deleteItem = (isLeaving: boolean) => (isLeaving ? sendOnLeave() : run(itemKey, () => aroundDeletion(send)));
    removal.current ??= confirmDeletion(itemKey, item, deleteItem, hides).finally(() => (removal.current = undefined));
    // The caller need not catch it: `error` holds the failure.
    removal.current.catch(() => undefined);
    return removal.current;
  };

  const { update, partialUpdate, remove } = mutations;
  return {
    pending: state.pending || isOptimistic(item),
    error: state.error,
    ...(update && { update: change(update) }),
    ...(partialUpdate && { partialUpdate: change(partialUpdate) }),
    ...(remove && { remove: removeOnce(remove) }),
  };
}

/** Returns true for an optimistic record: it has no key until the server responds. */
export function isOptimistic(item: object | undefined): boolean {
  return (
    typeof (item as { pk?: unknown } | undefined)?.pk === 'function' && getPrimaryKey(item as object) === undefined
  );
}

/**
 * The response to a deletion may be empty, a message or a count. Then the key of the record that was deleted comes from the record: the params
 * may not contain it.
 *
 * An optimistic deletion is hidden by the widget, not by the store: data-client 0.10 caches the list without the row,
 * and never shows the row again when the deletion fails.
 *
 * @throws SyntaxError when the response is a page, as a proxy or a captive portal sends it.
 */
function toDeleteEndpoint(endpoint: LooseEndpoint, item: object): LooseEndpoint {
  const key = getPrimaryKey(item);
  const namesRecord = (answer: unknown) =>
    typeof answer === 'object' && answer !== null && getPrimaryKey(answer, item) === key;
  return endpoint.extend({
    process: (value: unknown, params: object) => {
      // Not of the API: the record may still be there.
      if (isPage(value)) throw Object.assign(new SyntaxError(A_PAGE), { status: 400 });
      const answer = endpoint.process(value, { ...item, ...params });
      const isKept = key === undefined || !(endpoint.schema instanceof Invalidate) || namesRecord(answer);
      return isKept ? answer : { ...params, ...item };
    },
    getOptimisticResponse: undefined,
  });
}

/** The endpoints of a resource that change one record. Undefined where the resource has no such hook. */
interface Mutations {
  readonly update: LooseEndpoint | undefined;
  readonly partialUpdate: LooseEndpoint | undefined;
  readonly remove: LooseEndpoint | undefined;
}

interface MutationHooks {
  useUpdate?: () => LooseEndpoint;
  usePartialUpdate?: () => LooseEndpoint;
  useDelete?: () => LooseEndpoint;
}

/** Calls the resource's hooks in render, so that event handlers can use the endpoints. */
function useMutations(resource: object): Mutations {
  const hooks = resource as MutationHooks;
  const update = hooks.useUpdate?.();
  const partialUpdate = hooks.usePartialUpdate?.();
  const remove = hooks.useDelete?.();
  return useMemo(() => ({ update, partialUpdate, remove }), [update, partialUpdate, remove]);
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

import type { Controller } from '@data-client/react';
import { countStoredDeletions } from '../../dataClient/deletions.js';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { Invalidate, toDeletionSchema } from '../../dataClient/rest.js';
import { getOrCreate } from '../../getOrCreate.js';
import { A_PAGE, isPage } from '../../pageAnswer.js';
import { failureKind } from '../labels/failureKind.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';

/** The deletion of one record. */
interface Deletion {
  readonly send: () => Promise<unknown>;
  /** For a widget or a page that goes away. */
  readonly sendOnLeave: () => Promise<unknown>;
}

/** The deletions of widgets that are on their way, by store. */
const underWayByStore = new WeakMap<Controller, Set<Promise<unknown>>>();

function deletionsUnderWay(controller: Controller): Set<Promise<unknown>> {
  return getOrCreate(underWayByStore, controller, () => new Set());
}

/** Returns a function that says whether a record of this class was deleted since, or a deletion of a widget is or was on its way. */
export function watchDeletions(controller: Controller, entityKey: string): () => boolean {
  const underWay = deletionsUnderWay(controller);
  const wasUnderWay = underWay.size > 0;
  const before = countStoredDeletions(controller, entityKey);
  return () => wasUnderWay || underWay.size > 0 || countStoredDeletions(controller, entityKey) > before;
}

/** Resolves when no deletion of a widget is on its way: with true if one was. */
export async function untilDeletionsAnswered(controller: Controller): Promise<boolean> {
  const underWay = deletionsUnderWay(controller);
  const wasUnderWay = underWay.size > 0;
  while (underWay.size > 0) await Promise.allSettled(underWay);
  return wasUnderWay;
}

function noteSent<T>(controller: Controller, deletion: Promise<T>): Promise<T> {
  const underWay = deletionsUnderWay(controller);
  underWay.add(deletion);
  return deletion.finally(() => underWay.delete(deletion));
}

/** A record that the server does not have any more goes here too: others have deleted it. */
export function createDeletion(
  controller: Controller,
  endpoint: LooseEndpoint,
  item: object,
  params: LooseParams,
): Deletion {
  const deletion = toDeleteEndpoint(endpoint, item);
  const toGoneAnswer = (error: Error) => {
    if (failureKind(error) === 'not-found') return { ...params, ...item };
    throw error;
  };
  return {
    send: () => {
      const answered = (controller.fetch(deletion, params) as Promise<unknown>).catch((error: Error) =>
        controller.setResponse(deletion, params, toGoneAnswer(error)),
      );
      return noteSent(controller, answered);
    },
    // Not by `controller.fetch`: the store may go away with the widget and would never answer. `keepalive` lets the
    // request outlive the page.
    async sendOnLeave() {
      const last = deletion.extend({ requestInit: { ...endpoint.requestInit, keepalive: true } });
      void controller.setResponse(last, params, await last(params).catch(toGoneAnswer));
    },
  };
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
export function toDeleteEndpoint(endpoint: LooseEndpoint, item: object): LooseEndpoint {
  const key = getPrimaryKey(item);
  const schema = toDeletionSchema(endpoint.schema, item);
  const namesRecord = (answer: unknown) =>
    typeof answer === 'object' && answer !== null && getPrimaryKey(answer, item) === key;
  return endpoint.extend({
    schema,
    process: (value: unknown, params: object) => {
      // Not of the API: the record may still be there.
      if (isPage(value)) throw Object.assign(new SyntaxError(A_PAGE), { status: 400 });
      const answer = endpoint.process(value, { ...item, ...params });
      const isKept = key === undefined || !(schema instanceof Invalidate) || namesRecord(answer);
      return isKept ? answer : { ...params, ...item };
    },
    getOptimisticResponse: undefined,
  });
}

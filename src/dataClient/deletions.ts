import { StateContext, type Controller } from '@data-client/react';
import { useContext } from 'react';

/** The part of data-client's state that knows deleted records: they are symbols. */
interface DeletionState {
  readonly entities: Readonly<Record<string, StoredRecords | undefined>>;
}

/** The records of a class in the store. The same object as long as none of them changes. */
export type StoredRecords = Readonly<Record<string, unknown>>;

const NO_RECORDS: StoredRecords = {};

export function useStoredRecords(entityKey: string): StoredRecords {
  return (useContext(StateContext) as DeletionState).entities[entityKey] ?? NO_RECORDS;
}

/** The number of records that were deleted and have not come back. Walks all of them. */
export function countDeleted(records: StoredRecords): number {
  return Object.values(records).filter(record => typeof record === 'symbol').length;
}

/** `countDeleted` outside a render. */
export function countStoredDeletions(controller: Controller, entityKey: string): number {
  return countDeleted((controller.getState() as DeletionState).entities[entityKey] ?? NO_RECORDS);
}

/**
 * Reads rows, and once more if a record of their class was deleted during the read: the answer may be from before the deletion, with wrong
 * counts, or without the row that has taken the place.
 */
export async function readBesideDeletions<T>(
  controller: Controller,
  entityKey: string,
  read: () => Promise<T>,
): Promise<T> {
  const before = countStoredDeletions(controller, entityKey);
  const answer = await read();
  const isOutdated = countStoredDeletions(controller, entityKey) > before;
  return isOutdated ? read() : answer;
}

/**
 * Makes these responses stale in the next task, so that they are fetched again where they are shown. Until the caller of a fetch has its
 * response, data-client would share that fetch.
 */
export function expireSoon(controller: Controller, testKey: (key: string) => boolean): void {
  setTimeout(() => void controller.expireAll({ testKey }));
}

import { StateContext, type Controller } from '@data-client/react';
import { useContext } from 'react';

/** The parts of data-client's state that know deleted records: they are symbols. The times of a record have another name since 0.15. */
interface DeletionState {
  readonly entities: Readonly<Record<string, StoredRecords | undefined>>;
  readonly entityMeta?: EntityTimes;
  readonly entitiesMeta?: EntityTimes;
}
type EntityTimes = Readonly<Record<string, Readonly<Record<string, { readonly date: number }>>>>;

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

/** Returns a function that says whether a record was deleted at or after this time, in milliseconds since 1970. */
export function findDeletedSince(
  controller: Controller,
  entityKey: string,
  time: number,
): (primaryKey: string) => boolean {
  const { entities, entityMeta, entitiesMeta = entityMeta } = controller.getState() as unknown as DeletionState;
  const records = entities[entityKey] ?? {};
  const times = entitiesMeta?.[entityKey];
  return primaryKey => typeof records[primaryKey] === 'symbol' && (times?.[primaryKey]?.date ?? 0) >= time;
}

/**
 * Makes these responses stale in the next task, so that they are fetched again where they are shown. Until the caller of a fetch has its
 * response, data-client would share that fetch.
 */
export function expireSoon(controller: Controller, testKey: (key: string) => boolean): void {
  setTimeout(() => void controller.expireAll({ testKey }));
}

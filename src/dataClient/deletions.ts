import { StateContext, type Controller } from '@data-client/react';
import { useContext, useMemo } from 'react';

/** The parts of data-client's state that know deleted records: they are symbols. The times of a record have another name since 0.15. */
interface DeletionState {
  readonly entities: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly entityMeta?: EntityTimes;
  readonly entitiesMeta?: EntityTimes;
}
type EntityTimes = Readonly<Record<string, Readonly<Record<string, { readonly date: number }>>>>;

/** The number of records of a class that were deleted and have not come back. */
export function useDeletedCount(entityKey: string): number {
  const { entities } = useContext(StateContext) as DeletionState;
  const records = entities[entityKey];
  return useMemo(() => Object.values(records ?? {}).filter(record => typeof record === 'symbol').length, [records]);
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

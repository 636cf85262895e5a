import { StateContext, useCache, useController } from '@data-client/react';
import { useContext, useRef } from 'react';
import type { EndpointInterface } from './rest.js';

/** The part of data-client's state that has the records as they were received. The same from 0.10 to 0.18. */
interface Records {
  readonly entities: Readonly<Record<string, Readonly<Record<string, object | undefined>> | undefined>>;
}

/** A record of the store, as its Entity class makes it. */
interface StoredRecord {
  pk(): string | undefined;
  readonly constructor: { readonly key: string };
}

function isStoredRecord(record: unknown): record is StoredRecord {
  return typeof record === 'object' && record !== null && 'pk' in record && typeof record.pk === 'function';
}

/**
 * Returns the fields of a record that any response has had, without those that have only the default of the Entity class. Undefined when
 * the record is not in the store.
 */
export function useReceivedFields(record: unknown): Readonly<Record<string, unknown>> | undefined {
  const { entities } = useContext(StateContext) as Records;
  if (!isStoredRecord(record)) return undefined;
  return entities[record.constructor.key]?.[record.pk() ?? ''] as Readonly<Record<string, unknown>> | undefined;
}

/**
 * When the store's data for a request expires, in milliseconds since 1970. The last answer to the request decides, else the answer that had
 * the record.
 */
export function useRecordExpiry(endpoint: EndpointInterface, params: object): number {
  return useController().getResponse(endpoint, params, useContext(StateContext)).expiresAt;
}

const NO_ENDPOINT = { key: () => '', schema: undefined };

/** The record of a request as the store has it now, or had it last. Undefined before that, and without params. Sends nothing. */
export function useNewestRecord(endpoint: EndpointInterface | undefined, params: object | null): object | undefined {
  const record: unknown = useCache(endpoint ?? NO_ENDPOINT, endpoint ? params : null);
  const last = useRef<object>(undefined);
  if (typeof record === 'object' && record !== null) last.current = record;
  return last.current;
}

/** Whether both are states of one record of the store. */
export function isSameRecord(a: unknown, b: unknown): boolean {
  return isStoredRecord(a) && isStoredRecord(b) && a.constructor === b.constructor && a.pk() === b.pk();
}

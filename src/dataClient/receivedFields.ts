import { StateContext } from '@data-client/react';
import { useContext } from 'react';

/** The parts of data-client's state that say where a record comes from. The same from 0.10 to 0.18. */
interface Origins {
  readonly entities: Readonly<Record<string, Readonly<Record<string, object | undefined>> | undefined>>;
  readonly meta: Readonly<Record<string, { readonly expiresAt: number } | undefined>>;
}

/** A record of the store, as its Entity class makes it. */
interface StoredRecord {
  pk(): string | undefined;
  readonly constructor: { readonly key: string };
}

function isStoredRecord(record: unknown): record is StoredRecord {
  return typeof record === 'object' && record !== null && 'pk' in record && typeof record.pk === 'function';
}

function useOrigins(): Origins {
  return useContext(StateContext) as Origins;
}

/** True when the server has answered the request with this key. The store can have its record from another response, such as a list. */
export function useHasAnswer(key: string): boolean {
  const { meta } = useOrigins();
  return (meta[key]?.expiresAt ?? 0) > 0;
}

/**
 * Returns the fields of a record that any response has had, without those that have only the default of the Entity class. Undefined when
 * the record is not in the store.
 */
export function useReceivedFields(record: unknown): Readonly<Record<string, unknown>> | undefined {
  const { entities } = useOrigins();
  if (!isStoredRecord(record)) return undefined;
  return entities[record.constructor.key]?.[record.pk() ?? ''] as Readonly<Record<string, unknown>> | undefined;
}

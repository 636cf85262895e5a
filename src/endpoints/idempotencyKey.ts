import { isSafeMethod } from '../session/isSafeMethod.js';

const HEADER = 'Idempotency-Key';

/** Creates a key for one call. Returns undefined for safe methods and for endpoints without `idempotencyKey`. */
export function idempotencyKeyFor({
  method,
  idempotencyKey,
}: {
  method: string;
  idempotencyKey?: boolean | undefined;
}): string | undefined {
  return idempotencyKey && !isSafeMethod(method) ? randomId() : undefined;
}

/** Adds the key to the init, unless the caller has set one. */
export function withIdempotencyKey(init: RequestInit, key: string | undefined): RequestInit {
  if (key === undefined) return init;
  const headers = new Headers(init.headers);
  if (headers.has(HEADER)) return init;
  headers.set(HEADER, key);
  return { ...init, headers };
}

/** Creates a random id. Pages on plain HTTP have no `randomUUID`. */
function randomId(): string {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
  );
}

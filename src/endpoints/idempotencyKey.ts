import { isSafeMethod } from '../session/isSafeMethod.js';

const HEADER = 'Idempotency-Key';

/** A key for one call of the endpoint, if the endpoint asks for one. */
export function idempotencyKeyFor({ method, idempotencyKey }: { method: string; idempotencyKey?: boolean | undefined }): string | undefined {
  return idempotencyKey && !isSafeMethod(method) ? randomId() : undefined;
}

/** The init with the key, unless the caller has set one. */
export function withIdempotencyKey(init: RequestInit, key: string | undefined): RequestInit {
  if (key === undefined) return init;
  const headers = new Headers(init.headers);
  if (headers.has(HEADER)) return init;
  headers.set(HEADER, key);
  return { ...init, headers };
}

/** Pages on plain http have no `randomUUID`. */
function randomId(): string {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}

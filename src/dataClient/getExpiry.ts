import type { Controller } from '@data-client/react';

/**
 * When the newest response with this key expires, in milliseconds since 1970; 0 when the store has none.
 *
 * `controller.getResponse` says it too, but walks all rows of the response.
 */
export function getExpiry(controller: Controller, key: string): number {
  const { meta } = controller.getState() as { meta: Readonly<Record<string, { expiresAt: number } | undefined>> };
  return meta[key]?.expiresAt ?? 0;
}

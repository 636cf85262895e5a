import { useMemo } from 'react';
import { definedParams } from './endpointParams.js';
import type { LooseParams } from './resourceTypes.js';

/** The params without undefined ones, as the same object while they say the same. */
export function useStableParams(params: object | null | undefined): LooseParams | null {
  const text = JSON.stringify(params === null ? null : definedParams(params));
  return useMemo(() => JSON.parse(text) as LooseParams | null, [text]);
}

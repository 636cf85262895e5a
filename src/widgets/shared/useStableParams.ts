import { useMemo } from 'react';
import type { LooseParams } from './resourceTypes.js';

/** The params without undefined ones, which JSON leaves out, as the same object while they say the same. */
export function useStableParams(params: object | null | undefined): LooseParams | null {
  const text = JSON.stringify(params === undefined ? {} : params);
  return useMemo(() => JSON.parse(text) as LooseParams | null, [text]);
}

import { useContext, useMemo } from 'react';
import { TokenContext } from './TokenContext.js';

interface Extendable {
  extend(options: { accessToken: string | undefined }): unknown;
}

export function useTokenEndpoint<E extends Extendable>(endpoint: E): E {
  const accessToken = useContext(TokenContext);
  return useMemo(() => endpoint.extend({ accessToken }) as E, [endpoint, accessToken]);
}

import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { vi } from 'vitest';
import { createTokenSession, TokenAuthProvider, type TokenAuthProviderProps } from '../../../src/index.js';

/** Signs in as Ada, without a request. */
export const login = async () => ({ accessToken: 'ada-1', user: { id: 'ada' } });

/** Renders once. Rejects with what a component throws; React keeps that from the page where a boundary is above. */
export async function render(node: ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const out = new PassThrough();
  await new Promise<void>(resolve => {
    const { pipe } = renderToPipeableStream(node, { onError, onAllReady: resolve, onShellError: () => resolve() });
    pipe(out);
  });
  if (errors.length > 0) throw errors[0];
  return text(out);
}

/** Renders below a provider. */
export function renderBelow(node: ReactNode, props: Partial<TokenAuthProviderProps> = {}): Promise<string> {
  const session = createTokenSession({ login, server: true });
  return render(
    <TokenAuthProvider session={session} {...props}>
      {node}
    </TokenAuthProvider>,
  );
}

/** Renders a component that calls this hook. */
export function renderCall(useResult: () => unknown): Promise<string> {
  const Calls = () => void useResult();
  return renderBelow(<Calls />);
}

/** The result of a hook, for calls after the render, as in an event handler. The page has a `window` until the test ends. */
export async function resultBelow<T>(useResult: () => T, provide: (node: ReactNode) => ReactNode): Promise<T> {
  vi.stubGlobal('window', globalThis);
  const results: T[] = [];
  const onResult = (result: T) => void results.push(result);
  const Calls = () => void onResult(useResult());
  await render(provide(<Calls />));
  return results[0] as T;
}

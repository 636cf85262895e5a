// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { startTransition } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useAsyncActions } from '../../src/widgets/shared/useAsyncAction.js';

afterEach(cleanup);

/** A call that the test settles. */
function createCall() {
  let settle!: (error?: Error) => void;
  const promise = new Promise<void>((resolve, reject) => (settle = error => (error ? reject(error) : resolve())));
  return { start: () => promise, settle };
}

const failure = new Error('The first call has failed.');

test('the error of a call counts only if no later one of the same key was started', async () => {
  const { result } = renderHook(() => useAsyncActions());
  const [first, second] = [createCall(), createCall()];
  const stateOf = (key: string) => {
    const { pending, error } = result.current.states.get(key) ?? {};
    return { pending, error };
  };
  await act(async () => {
    result.current.run('a', first.start).catch(() => {});
    void result.current.run('a', second.start);
  });
  await act(async () => first.settle(failure));
  expect(stateOf('a')).toEqual({ pending: true, error: undefined });
  await act(async () => second.settle());
  expect(result.current.states.size).toBe(0);

  const third = createCall();
  await act(async () => void result.current.run('a', third.start).catch(() => {}));
  await act(async () => third.settle(failure));
  expect(stateOf('a')).toEqual({ pending: false, error: failure });
  expect(stateOf('b')).toEqual({ pending: undefined, error: undefined });
});

test('a call that is started in a transition ends as any other', async () => {
  const { result } = renderHook(() => useAsyncActions());
  await act(async () => startTransition(() => void result.current.run('a', async () => {})));
  expect(result.current.states.size).toBe(0);
});

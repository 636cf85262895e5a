// @vitest-environment jsdom
import { StateContext } from '@data-client/react';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useAnswerMeta } from '../../src/dataClient/storedResponses.js';

test.each(['results', 'endpoints'])('the error of an answer is read from a store with `%s`', name => {
  const error = new Error('down');
  const state = { meta: { list: { expiresAt: 2, error } }, [name]: { list: [] } };
  const { result } = renderHook(() => useAnswerMeta('list')?.error, {
    wrapper: ({ children }) => <StateContext.Provider value={state as never}>{children}</StateContext.Provider>,
  });
  expect(result.current).toBe(error);
});

import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createTokenSession } from '../../src/index.js';
import { RoutersBelow } from '../../src/providers/RoutersBelow.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';

test('a server renders what stands between, without a window and without a complaint', () => {
  const complaints = vi.spyOn(console, 'error');
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  expect(renderToString(<RoutersBelow session={sessionCore(session)}>the app</RoutersBelow>)).toBe('the app');
  expect(complaints).not.toHaveBeenCalled();
  complaints.mockRestore();
});

import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createTokenSession } from '../../src/index.js';
import { NotifyRouters } from '../../src/providers/NotifyRouters.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';

test('a server renders without a window and without a complaint', () => {
  const complaints = vi.spyOn(console, 'error');
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  expect(renderToString(<NotifyRouters session={sessionCore(session)} />)).toBe('');
  expect(complaints).not.toHaveBeenCalled();
  complaints.mockRestore();
});

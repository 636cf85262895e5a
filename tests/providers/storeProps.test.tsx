import { Controller, useController } from '@data-client/react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createStoreParts, IdentityStore } from '../../src/dataClient/IdentityStore.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createTokenSession, TokenAuthProvider } from '../../src/index.js';

const makeSession = () => createTokenSession({ login: async () => ({ accessToken: 'a-token' }) });

test('the controller of the app is the one of the store', () => {
  // data-client’s provider warns on a server.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  class OwnController<D extends (action: any) => Promise<void>> extends Controller<D> {
    readonly label = 'the app’s own';
  }
  const Label = () => (useController() as OwnController<never>).label;
  const html = renderToStaticMarkup(
    <TokenAuthProvider session={makeSession()} Controller={OwnController}>
      <Label />
    </TokenAuthProvider>,
  );
  expect(html).toContain('the app’s own');
});

test('devButton and gcPolicy reach data-client’s provider', () => {
  const core = sessionCore(makeSession());
  const parts = createStoreParts(core, core.getStoreGenerationSignal());
  const gcPolicy = { createCountRef: () => () => () => {} } as never;
  const provider = IdentityStore({ parts, devButton: 'top-left', gcPolicy, children: null }) as ReactElement;
  expect(provider.props).toMatchObject({ devButton: 'top-left', gcPolicy });
});

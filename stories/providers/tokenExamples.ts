// The sessions of the examples with tokens, each with a mock server of its own.
import { tokenExample } from '../support/startExample.js';
import { session as bearerSession } from './shown/bearerSession.js';
import { session as restoredSession } from './shown/restoredSession.js';
import { session as storedSession } from './shown/storedSession.js';
import { session } from './shown/tokenSession.js';

export const token = { session, ...tokenExample(session) };

export const bearer = {
  session: bearerSession,
  ...tokenExample(bearerSession, { header: 'Authorization' }),
};

export const restored = { session: restoredSession, ...tokenExample(restoredSession) };

export const stored = { session: storedSession, ...tokenExample(storedSession) };

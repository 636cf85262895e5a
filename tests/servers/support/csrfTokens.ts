import { doubleCsrf } from 'csrf-csrf';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';

const newSecret = () => randomBytes(32).toString('hex');

/** `csrf-csrf`, with tokens that are bound to the session. */
export function csrfTokens() {
  let secrets = [newSecret()];
  const { doubleCsrfProtection, generateCsrfToken } = doubleCsrf({
    getSecret: () => secrets,
    getSessionIdentifier: ({ sessionID }: Request) => sessionID,
    cookieName: 'csrf',
    cookieOptions: { httpOnly: false, secure: false, sameSite: 'lax' },
  });
  return {
    protect: doubleCsrfProtection,
    generate: generateCsrfToken,
    /** The tokens that were given out are good no more. */
    changeSecret: () => void (secrets = [newSecret()]),
  };
}

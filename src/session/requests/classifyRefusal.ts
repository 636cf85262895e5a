import type { AuthFailure, CredentialHandling } from './credentialHandling.js';

/** What a refused response says about the credential, by the rule of the mechanism. */
export async function classifyRefusal(
  mechanism: Pick<CredentialHandling<never>, 'classifyResponse'>,
  response: Response,
): Promise<AuthFailure | undefined> {
  if (mechanism.classifyResponse) return mechanism.classifyResponse(response);
  return response.status === 401 ? 'unauthorized' : undefined;
}

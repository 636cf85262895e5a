import type { SessionParts } from '../parts.js';

/** The current credential, if the mechanism knows it at once. Undefined if it does not, or fails: a request reads it again. */
export function credentialNow<Credential>({
  mechanism,
  store,
}: Pick<SessionParts<Credential, unknown>, 'mechanism' | 'store'>): Credential | undefined {
  const { signedIn } = store.state;
  if (!signedIn || !mechanism.readCredential) return undefined;
  try {
    const read = mechanism.readCredential(signedIn.credential);
    if (!(read instanceof Promise)) return read;
    read.catch(() => {});
  } catch {
    // As for a promise that rejects.
  }
  return undefined;
}

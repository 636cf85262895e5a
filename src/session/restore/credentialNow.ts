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

/** The credential that a check is about. */
export interface CheckedCredential {
  /** The browser's credential when the server was asked; that of now, while the check still waits, for example for a login. */
  readonly get: () => unknown;
  readonly isSent: () => boolean;
  /** Call right before the server is asked. */
  readonly onSend: () => void;
}

export function checkedCredential(parts: Parameters<typeof credentialNow>[0]): CheckedCredential {
  let sent: { credential: unknown } | undefined;
  return {
    get: () => (sent ? sent.credential : credentialNow(parts)),
    isSent: () => sent !== undefined,
    onSend: () => void (sent = { credential: credentialNow(parts) }),
  };
}

import { credentialNow } from '../requests/credentialNow.js';

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

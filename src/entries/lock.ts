// `data-client-auth/lock`: keeps the user's place when the session expires.
export { lock, type LockOptions } from '../lock/lock.js';
export type { ExpiryLock } from '../providers/ExpiryLock.js';

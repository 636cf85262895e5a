// `data-client-auth/clock`: ends the session of a user who is away, and warns before.
export { sessionClock } from '../sessionClock/sessionClock.js';
export type { IdleOptions, SessionClock, SessionClockOptions } from '../sessionClock/RunningClock.js';
export type { RecheckOptions } from '../sessionClock/ServerCheck.js';
export {
  useSessionClock,
  type SessionClockTickOptions,
  type SessionClockView,
} from '../sessionClock/useSessionClock.js';
export { SessionWarning, type SessionWarningProps } from '../widgets/session/SessionWarning.js';

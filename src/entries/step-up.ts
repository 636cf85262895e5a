// `data-client-auth/step-up`: answers the challenges of a server, such as a password before a payment.
export { ChallengeCancelledError } from '../errors.js';
export { useChallenge } from '../providers/useChallenge.js';
export type { AuthChallenge } from '../session/mechanism.js';
export type { OpenChallenge, StepUpOptions } from '../stepUp/challenge.js';
export { stepUp } from '../stepUp/stepUp.js';
export { Challenge, type ChallengeProps } from '../widgets/form/Challenge.js';

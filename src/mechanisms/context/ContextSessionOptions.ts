import type { Clock } from '../../clock.js';
import type { ChallengeOption } from '../../session/challenges/challenge.js';
import type { UserOption } from '../../session/userClass.js';
import type { ProfileOption } from '../profile.js';
import type { SubjectSource } from './sdkSignIn.js';
import type { TokenHeaderOptions } from '../tokenHeader.js';

export interface ContextSessionOptions extends TokenHeaderOptions, ProfileOption, UserOption<unknown>, ChallengeOption {
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
  /** @default the props of each render say who is signed in */
  readonly source?: SubjectSource | undefined;
}

// `data-client-auth/core`: sessions, endpoints and errors, without React and `'use client'`. For server components, loaders and scripts.

// REST layer
export { Collection, Entity, Invalidate } from './dataClient/rest.js';
export type { RestGenerics } from './dataClient/rest.js';
export { RestEndpoint, type AuthOptions, type RestEndpointConstructor } from './endpoints/RestEndpoint.js';
export { resource, type NestedListResource, type Resource, type WildcardMembers } from './endpoints/resource.js';
export { authEndpoint } from './endpoints/authEndpoint.js';
export { shortenPath, type WildcardValue } from './endpoints/path.js';

// Sessions
export { createSession } from './mechanisms/createSession.js';
export { createSdkSession, type SdkSession } from './mechanisms/context/createSdkSession.js';
export type { SdkSessionOptions } from './mechanisms/context/SdkSessionOptions.js';
export { attachHeader } from './mechanisms/attachHeader.js';
export { createTokenSession } from './mechanisms/token/createTokenSession.js';
export type { TokenSessionOptions } from './mechanisms/token/TokenSessionOptions.js';
export type { CurrentTokens, RefreshArgument } from './mechanisms/token/tokenResponse.js';
export type { ProfileOption } from './mechanisms/profile.js';
export type { OAuthTokenResponse, TokenResponse } from './mechanisms/token/readTokens.js';
export type { CookieSessionOptions } from './mechanisms/cookie/CookieSessionOptions.js';
export { createCookieSession } from './mechanisms/cookie/createCookieSession.js';
export { stepUp, type ChallengeResult, type StepUpOptions } from './session/challenges/stepUp.js';
export type {
  AnswerValues,
  AuthChallenge,
  ChallengeOption,
  OpenChallenge,
  StepUp,
} from './session/challenges/challenge.js';
export type { ParsedChallenge } from './session/challenges/wwwAuthenticate.js';
export type { CsrfOptions } from './mechanisms/cookie/csrfToken.js';
export type { RememberedStorage, TokenStorage, TokenStorageOptions } from './mechanisms/token/tokenStorage.js';
export type { TabsOptions } from './mechanisms/createTabs.js';
export type { TokenHeaderOptions } from './mechanisms/tokenHeader.js';
export type { GetToken, GetTokenOptions } from './mechanisms/context/sdkToken.js';
export type { Clock } from './clock.js';
export type { SessionOptions } from './session/sessionOptions.js';
export type { AuthFailure } from './session/requests/credentialHandling.js';
export type { Mechanism } from './session/mechanism.js';
export type { OutgoingRequest } from './session/requests/outgoingRequest.js';
export type { Tabs } from './session/persistence.js';
export type { AuthCallName } from './session/requests/runAsAuthCall.js';
export type { Session, SessionSnapshot, SessionStatus, SignOutReason } from './session/session.js';
export type { TokenSession } from './session/tokenSession.js';
export type { SessionFetch, SessionFetchInit } from './session/requests/sessionFetch.js';
export type { SignedIn } from './session/signedIn.js';
export type { UserClass, UserOption } from './session/userClass.js';

// Tools
export {
  observeRequests,
  type ObservedRequest,
  type ObservedSession,
  type ObservedStatus,
  type RequestCause,
} from './session/observeRequests.js';

// Errors
export {
  ChallengeCancelledError,
  IdentityChangedError,
  InvalidCredentialError,
  LogoutUnconfirmedError,
  MissingParamError,
  MissingProviderError,
  NotAListError,
  OtherUserResponseError,
  RedirectRefusedError,
  RefreshUnavailableError,
  SessionExpiredError,
  SignedOutError,
  UnreplayableBodyError,
  UntrustedOriginError,
} from './errors.js';

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
export { createSdkSession, type SdkSession } from './mechanisms/context.js';
export type { GetToken, GetTokenOptions, SdkSessionOptions } from './mechanisms/SdkSessionOptions.js';
export { attachHeader } from './mechanisms/attachHeader.js';
export { createTokenSession } from './mechanisms/token.js';
export type { TokenSessionOptions } from './mechanisms/TokenSessionOptions.js';
export type { CurrentTokens, RefreshArgument } from './mechanisms/tokenResponse.js';
export type { ProfileOption } from './mechanisms/profile.js';
export type { OAuthTokenResponse, TokenResponse } from './mechanisms/readTokens.js';
export type { CookieSessionOptions } from './mechanisms/CookieSessionOptions.js';
export { createCookieSession } from './mechanisms/cookie.js';
export { stepUp } from './stepUp/stepUp.js';
export type { AnswerValues, ChallengeResult, OpenChallenge, StepUpOptions } from './stepUp/challenge.js';
export type { AuthChallenge } from './session/mechanism.js';
export type { ParsedChallenge } from './stepUp/wwwAuthenticate.js';
export type { CsrfOptions } from './mechanisms/csrfToken.js';
export type { RememberedStorage, TokenStorage, TokenStorageOptions } from './mechanisms/tokenStorage.js';
export type { TabsOptions } from './mechanisms/tabsOption.js';
export type { TokenHeaderOptions } from './mechanisms/tokenHeader.js';
export type { Clock } from './clock.js';
export type { SessionOptions } from './session/createSession.js';
export type { Mechanism, Refusal, RequestToAttach, SignedIn } from './session/mechanism.js';
export type { Extension, Hooks } from './session/extension.js';
export type { Session, SessionSnapshot, SessionStatus, SignOutReason } from './session/session.js';
export type { TokenSession } from './session/tokenSession.js';
export type { SessionFetch, SessionFetchInit } from './session/sessionFetch.js';
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

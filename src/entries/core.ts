// `data-client-auth/core`: sessions, endpoints and errors, without React and `'use client'`. For server components, loaders and scripts.

// REST layer
export { Collection, Entity, Invalidate } from '../dataClient/rest.js';
export type { RestGenerics } from '../dataClient/rest.js';
export { RestEndpoint, type AuthOptions, type RestEndpointConstructor } from '../endpoints/RestEndpoint.js';
export { resource, type NestedListResource, type Resource, type WildcardMembers } from '../endpoints/resource.js';
export type { WildcardValue } from '../endpoints/path.js';
export { authEndpoint } from '../endpoints/authEndpoint.js';

// Sessions
export { createCookieSession } from '../mechanisms/cookie.js';
export { createSdkSession, type SdkSession } from '../mechanisms/context.js';
export { createSession } from '../mechanisms/createSession.js';
export { createTokenSession } from '../mechanisms/token.js';
export { attachHeader } from '../mechanisms/attachHeader.js';
export type { CookieSessionOptions } from '../mechanisms/CookieSessionOptions.js';
export type { CsrfOptions } from '../mechanisms/csrfToken.js';
export type { OAuthTokenResponse, TokenResponse } from '../mechanisms/readTokens.js';
export type { GetToken, SdkSessionOptions } from '../mechanisms/SdkSessionOptions.js';
export type { TabsOptions } from '../mechanisms/tabsOption.js';
export type { TokenHeaderOptions } from '../mechanisms/tokenHeader.js';
export type { CurrentTokens } from '../mechanisms/tokenResponse.js';
export type { RefreshOptions, TokenSessionOptions } from '../mechanisms/TokenSessionOptions.js';
export type { NamedStorage, RememberedStorage, TokenStorage, TokenStorageOptions } from '../mechanisms/tokenStorage.js';
export type { Clock } from '../clock.js';
export type { SessionOptions } from '../session/createSession.js';
export type { Extension } from '../session/extension.js';
export type { Mechanism, Refusal, RequestToAttach, SignedIn } from '../session/mechanism.js';
export type {
  Session,
  SessionSnapshot,
  SessionStatus,
  SignOutReason,
  SessionFetch,
  TokenSession,
} from '../session/session.js';
export type { UserOption } from '../session/userClass.js';

// The errors that an app catches
export {
  IdentityChangedError,
  LogoutUnconfirmedError,
  OtherUserResponseError,
  RefreshUnavailableError,
  SessionExpiredError,
  SignedOutError,
} from '../errors.js';

// The spec's REST layer
export { Collection, Entity, Invalidate } from './rest.js';
export type { RestGenerics } from './rest.js';
export { RestEndpoint, type AuthOptions } from './endpoints/RestEndpoint.js';
export { resource, type Resource } from './endpoints/resource.js';
export { hookifyResource, type HookResource } from './endpoints/hookifyResource.js';
export { authEndpoint } from './endpoints/authEndpoint.js';
export { shortenPath } from './endpoints/path.js';

// Sessions
export { createSession } from './mechanisms/createSession.js';
export { attachHeader } from './mechanisms/attachHeader.js';
export { createTokenSession, type TokenSessionOptions } from './mechanisms/createTokenSession.js';
export type { HeldTokens, RefreshArgument, Tokens } from './mechanisms/tokenResponse.js';
export { createCookieSession, type CookieSessionOptions } from './mechanisms/createCookieSession.js';
export type { CsrfOptions } from './mechanisms/csrfToken.js';
export type { StoragePlace, TokenStorage } from './mechanisms/tokenStorage.js';
export type { TabsOptions } from './mechanisms/createTabs.js';
export type { TokenPlace } from './mechanisms/tokenHeader.js';
export type { GetToken } from './mechanisms/sdkToken.js';
export type { Clock } from './clock.js';
export type { SessionOptions } from './session/createSessionCore.js';
export type { AuthFailure, Mechanism } from './session/mechanism.js';
export type { OutgoingRequest } from './session/outgoingRequest.js';
export type { Tabs } from './session/persistence.js';
export type { AuthCallName } from './session/runAsAuthCall.js';
export type { Session, SessionSnapshot, SessionStatus, SignOutReason } from './session/session.js';
export type { SignedIn } from './session/signedIn.js';

// Providers
export { TokenAuthProvider, type TokenAuthProviderProps } from './providers/TokenAuthProvider.js';
export { CookieAuthProvider, type CookieAuthProviderProps } from './providers/CookieAuthProvider.js';
export { ContextTokenProvider, type ContextTokenProviderProps } from './providers/ContextTokenProvider.js';

// Hooks
export { useAuth, type Auth, type Register, type RegisteredSession } from './providers/useAuth.js';
export { useAccessToken } from './providers/useAccessToken.js';
export { useAuthInit, type AuthInit } from './endpoints/useAuthInit.js';
export { useEndpoint } from './endpoints/useEndpoint.js';

// Tools
export { observeRequests, type ObservedRequest, type ObservedSession, type ObservedStatus, type RequestCause } from './endpoints/observeRequests.js';

// Errors
export {
  IdentityChangedError,
  InvalidCredentialError,
  LogoutUnconfirmedError,
  MissingParamError,
  MissingProviderError,
  RedirectRefusedError,
  RefreshUnavailableError,
  SessionExpiredError,
  SignedOutError,
  UnreplayableBodyError,
  UntrustedOriginError,
} from './errors.js';

// Widgets
export { Authenticated, type AuthenticatedProps } from './widgets/Authenticated.js';
export { LoginForm, type LoginFormProps } from './widgets/form/LoginForm.js';
export { PaginatedList, type PaginatedListProps } from './widgets/pagination/PaginatedList.js';
export { ResourceDetail, type DetailActions, type ResourceDetailProps } from './widgets/detail/ResourceDetail.js';
export { ResourceForm, type ResourceFormProps } from './widgets/form/ResourceForm.js';
export { ResourceList } from './widgets/list/ResourceList.js';
export type { CreateSlotProps, ResourceListProps } from './widgets/list/ResourceListProps.js';
export { nextCursor, type NextCursorOptions } from './widgets/pagination/NextPage.js';
export { nextLink, type NextLinkOptions } from './widgets/pagination/nextLink.js';
export { nextPageNumber, type NextPageNumberOptions } from './widgets/pagination/NextPage.js';
export { fieldErrors, type FieldErrors } from './widgets/form/fieldErrors.js';
export { useDebouncedParams, type DebounceOptions } from './widgets/list/useDebouncedParams.js';
export { WidgetLabelsProvider, type WidgetLabelsProviderProps } from './widgets/labels/WidgetLabelsProvider.js';
export { withLinkHeader, type LinkedResource } from './widgets/pagination/withLinkHeader.js';
export type { DeleteMode } from './widgets/actions/useDeleteConfirmation.js';
export type { ErrorSlotProps } from './widgets/shared/ErrorView.js';
export type { FormField, FormValues } from './widgets/form/FormField.js';
export type { LoadedPages, NextPage } from './widgets/pagination/NextPage.js';
export type { LoadMoreTrigger } from './widgets/pagination/LoadMore.js';
export type { ItemActions, ItemOf } from './widgets/shared/resourceTypes.js';
export type { WidgetLabels } from './widgets/labels/WidgetLabels.js';

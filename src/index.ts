// `data-client-auth`: everything, for React apps.
export * from './core.js';

// Providers
export { TokenAuthProvider, type TokenAuthProviderProps } from './providers/TokenAuthProvider.js';
export { CookieAuthProvider, type CookieAuthProviderProps } from './providers/CookieAuthProvider.js';
export { ContextTokenProvider, type ContextTokenProviderProps } from './providers/ContextTokenProvider.js';
export type { ErrorContext, OnError } from './providers/failureReport.js';
export type { Identity } from './providers/ProviderProps.js';
export type { StoreManager } from './dataClient/connectManagers.js';

// Hooks
export { hookifyResource, type HookResource } from './endpoints/hookifyResource.js';
export { useAuth, type Auth, type Register, type RegisteredSession } from './providers/useAuth.js';
export { useChallenge } from './providers/useChallenge.js';
export { useAccessToken } from './providers/useAccessToken.js';
export { useAuthInit, type AuthInit } from './endpoints/useAuthInit.js';
export { useEndpoint } from './endpoints/useEndpoint.js';
export { useSessionFetch } from './endpoints/useSessionFetch.js';

// Permissions
export { Can, type CanProps } from './permissions/Can.js';
export { permissions } from './permissions/permissions.js';
export type {
  Permission,
  PermissionAnswer,
  PermissionQuestion,
  Permissions,
  PermissionsOptions,
  PermissionSubject,
} from './permissions/PermissionAnswers.js';
export { useCan } from './permissions/useCan.js';

// The session's clock
export { sessionClock } from './sessionClock/sessionClock.js';
export type { IdleOptions, ServerTime, SessionClockOptions } from './sessionClock/RunningClock.js';
export type { RecheckOptions } from './sessionClock/ServerCheck.js';
export type { ClockState, EndCause, SessionClock } from './sessionClock/RunningClock.js';
export {
  useSessionClock,
  type SessionClockTickOptions,
  type SessionClockView,
} from './sessionClock/useSessionClock.js';
// Keep my place
export { lock, type LockOptions } from './lock/lock.js';
export type { ExpiryLock } from './providers/ExpiryLock.js';

// Widgets
export { Authenticated, type AuthenticatedProps } from './widgets/session/Authenticated.js';
export { LoginForm, type LoginFormProps } from './widgets/form/LoginForm.js';
export { Challenge, type ChallengeProps } from './widgets/form/Challenge.js';
export { PaginatedList, type PaginatedListProps } from './widgets/pagination/PaginatedList.js';
export { ResourceDetail, type DetailActions, type ResourceDetailProps } from './widgets/detail/ResourceDetail.js';
export { ResourceForm, type ResourceFormProps } from './widgets/form/ResourceForm.js';
export { ResourceList } from './widgets/list/ResourceList.js';
export type { CreateSlotProps, ResourceListProps } from './widgets/list/ResourceListProps.js';
export {
  nextCursor,
  nextLink,
  nextPageNumber,
  type LoadedPages,
  type NextCursorOptions,
  type NextLinkOptions,
  type NextPage,
  type NextPageNumberOptions,
} from './widgets/nextPage/NextPage.js';
export { fieldErrors, type FieldErrors } from './widgets/form/fieldErrors.js';
export { SessionWarning, type SessionWarningProps } from './widgets/session/SessionWarning.js';
export { useDebouncedParams, type DebounceOptions } from './widgets/list/useDebouncedParams.js';
export { WidgetLabelsProvider, type WidgetLabelsProviderProps } from './widgets/labels/WidgetLabels.js';
export { withLinkHeader, type LinkedResource } from './widgets/nextPage/withLinkHeader.js';
export { RowActions, type RowActionsProps } from './widgets/actions/RowActions.js';
export type { DeleteMode } from './widgets/actions/useDeleteConfirmation.js';
export type { ErrorSlotProps } from './widgets/shared/ErrorView.js';
export type { FieldOption, FieldSlotProps, FieldValue, FormField, FormValues } from './widgets/form/FormField.js';
export type { LoadMoreTrigger } from './widgets/pagination/LoadMore.js';
export type { HookifiedDetail, HookifiedList, ItemActions, ItemOf } from './widgets/shared/resource.js';
export { failureKind, type FailureKind } from './widgets/labels/failureKind.js';
export type { WidgetLabels } from './widgets/labels/WidgetLabels.js';

// `data-client-auth`: what each app starts with.
export * from './entries/core.js';

// Providers
export { TokenAuthProvider, type TokenAuthProviderProps } from './providers/TokenAuthProvider.js';
export { CookieAuthProvider, type CookieAuthProviderProps } from './providers/CookieAuthProvider.js';
export { ContextTokenProvider, type ContextTokenProviderProps } from './providers/ContextTokenProvider.js';
export type { OnError } from './providers/failureReport.js';
export { Authenticated, type AuthenticatedProps } from './widgets/session/Authenticated.js';

// Hooks
export { hookifyResource, type HookResource } from './endpoints/hookifyResource.js';
export { useAuthInit, type AuthInit } from './endpoints/hookifyResource.js';
export { useEndpoint } from './endpoints/hookifyResource.js';
export { useSessionFetch } from './endpoints/useSessionFetch.js';
export { useAuth, type Auth, type Register } from './providers/useAuth.js';

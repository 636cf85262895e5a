// The few functions of the SDKs that the recipes call, as their vendors document them; the packages themselves are not installed.

declare module '@auth0/auth0-react' {
  /** @see https://auth0.github.io/auth0-react/interfaces/Auth0ContextInterface.html */
  export function useAuth0(): {
    isLoading: boolean;
    user?: { sub?: string; name?: string } | undefined;
    getAccessTokenSilently(options?: { cacheMode?: 'on' | 'off' | 'cache-only' }): Promise<string>;
    getAccessTokenWithPopup(options?: {
      authorizationParams?: {
        acr_values?: string | undefined;
        max_age?: number | undefined;
        scope?: string | undefined;
      };
    }): Promise<string | undefined>;
    loginWithRedirect(): Promise<void>;
    logout(options?: { logoutParams?: { returnTo?: string } }): Promise<void>;
  };
}

declare module '@clerk/react' {
  import type { JSX } from 'react';

  /** @see https://clerk.com/docs/react/reference/hooks/use-auth */
  export function useAuth(): {
    isLoaded: boolean;
    userId: string | null | undefined;
    getToken(options?: { skipCache?: boolean; template?: string }): Promise<string | null>;
    signOut(): Promise<void>;
  };
  export function SignInButton(): JSX.Element;
}

declare module 'firebase/app' {
  export interface FirebaseApp {
    readonly name: string;
  }
  export function initializeApp(options: { apiKey?: string; authDomain?: string; projectId?: string }): FirebaseApp;
}

declare module 'firebase/auth' {
  import type { FirebaseApp } from 'firebase/app';

  /** @see https://firebase.google.com/docs/reference/js/auth.user */
  export interface User {
    readonly uid: string;
    getIdToken(forceRefresh?: boolean): Promise<string>;
  }
  export interface Auth {
    readonly currentUser: User | null;
  }
  export class GoogleAuthProvider {}
  export function getAuth(app?: FirebaseApp): Auth;
  export function onAuthStateChanged(auth: Auth, next: (user: User | null) => void): () => void;
  export function signInWithPopup(auth: Auth, provider: GoogleAuthProvider): Promise<unknown>;
  export function signOut(auth: Auth): Promise<void>;
}

declare module 'oidc-client-ts' {
  /** @see https://authts.github.io/oidc-client-ts/classes/User.html */
  export interface User {
    readonly access_token: string;
    readonly profile: { readonly sub: string };
  }
  /** @see https://authts.github.io/oidc-client-ts/classes/UserManager.html */
  export class UserManager {
    constructor(settings: { authority: string; client_id: string; redirect_uri: string; scope?: string });
    getUser(): Promise<User | null>;
    signinSilent(): Promise<User | null>;
    signinRedirect(): Promise<void>;
    signoutRedirect(): Promise<void>;
  }
}

declare module 'react-oidc-context' {
  import type { User, UserManager } from 'oidc-client-ts';
  import type { JSX, ReactNode } from 'react';

  /** @see https://github.com/authts/react-oidc-context */
  export function AuthProvider(props: {
    userManager: UserManager;
    onSigninCallback?: (user: User | undefined) => void;
    children?: ReactNode;
  }): JSX.Element;
  export function useAuth(): { isLoading: boolean; user?: User | null | undefined };
}

declare module '@tanstack/react-router' {
  import type { ComponentType, JSX } from 'react';

  /** @see https://tanstack.com/router/latest/docs/framework/react/api/router/redirectFunction */
  export function redirect(options: { to: string; search?: Record<string, unknown> }): Response;
  interface Route<Search = object> {
    useSearch(): Search;
    addChildren(routes: readonly { useSearch(): unknown }[]): Route;
  }
  interface RouteOptions<Search> {
    getParentRoute: () => Route;
    path: string;
    validateSearch?: (search: Record<string, unknown>) => Search;
    beforeLoad?: (context: { location: { href: string } }) => Promise<void>;
    component?: ComponentType;
  }
  export function createRootRoute(): Route;
  export function createRoute<Search>(options: RouteOptions<Search>): Route<Search>;
  interface Router {
    readonly history: { replace(path: string): void };
  }
  export function createRouter(options: { routeTree: Route }): Router;
  export function RouterProvider(props: { router: Router }): JSX.Element;
}

declare module '@azure/msal-browser' {
  /** @see https://azuread.github.io/microsoft-authentication-library-for-js/ref/classes/_azure_msal_browser.PublicClientApplication.html */
  export class PublicClientApplication {
    constructor(configuration: { auth: { clientId: string; authority?: string } });
    initialize(): Promise<void>;
    getActiveAccount(): { homeAccountId: string } | null;
    acquireTokenSilent(request: { scopes: string[]; forceRefresh?: boolean }): Promise<{ accessToken: string }>;
    addEventCallback(callback: () => void): string | null;
    removeEventCallback(callbackId: string): void;
  }
}

declare module '@clerk/clerk-js' {
  /** @see https://clerk.com/docs/reference/javascript/clerk */
  export class Clerk {
    constructor(publishableKey: string);
    readonly loaded: boolean;
    readonly user: { readonly id: string } | null | undefined;
    readonly session: { getToken(options?: { skipCache?: boolean }): Promise<string | null> } | null | undefined;
    load(): Promise<void>;
    addListener(callback: () => void): () => void;
  }
}

// The few functions of the SDKs that the recipes call, as their vendors document them; the packages themselves are not installed.

declare module '@auth0/auth0-react' {
  /** @see https://auth0.github.io/auth0-react/interfaces/Auth0ContextInterface.html */
  export function useAuth0(): {
    isLoading: boolean;
    user?: { sub?: string; name?: string } | undefined;
    getAccessTokenSilently(options?: { cacheMode?: 'on' | 'off' | 'cache-only' }): Promise<string>;
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

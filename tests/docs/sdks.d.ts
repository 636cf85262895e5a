// What the pages import and is not installed. Firebase's two parts are, under their own names; of the others, these are the functions that the
// pages call, as their vendors document them.

declare module 'firebase/app' {
  export * from '@firebase/app';
}

declare module 'firebase/auth' {
  export * from '@firebase/auth';
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

// What the pages import and is not installed. Firebase's two parts are, under their own names; of the others, these are the functions that the
// pages call, as their vendors document them.

declare module 'firebase/app' {
  export * from '@firebase/app';
}

declare module 'firebase/auth' {
  export * from '@firebase/auth';
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

declare module 'next/headers' {
  /** @see https://nextjs.org/docs/app/api-reference/functions/cookies */
  export function cookies(): Promise<{ toString(): string }>;
}

declare module 'next/navigation' {
  /** @see https://nextjs.org/docs/app/api-reference/functions/use-router */
  export function useRouter(): { refresh(): void };
}

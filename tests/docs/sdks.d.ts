// What the pages import and is not installed under that name: the two parts of Firebase that they need, and what they call of Next.js.

declare module 'firebase/app' {
  export * from '@firebase/app';
}

declare module 'firebase/auth' {
  export * from '@firebase/auth';
}

declare module 'next/headers' {
  /** @see https://nextjs.org/docs/app/api-reference/functions/cookies */
  export function cookies(): Promise<{ toString(): string }>;
}

declare module 'next/navigation' {
  /** @see https://nextjs.org/docs/app/api-reference/functions/use-router */
  export function useRouter(): { refresh(): void };
}

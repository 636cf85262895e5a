// Only a demo has passwords in its code: the sign-in page shows them, and a button switches between the two users.
export interface User {
  readonly id: string;
  readonly name: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** “Keep me signed in”. */
  readonly remember?: boolean;
}

export const DEMO_USERS: readonly (User & { readonly password: string })[] = [
  { id: 'ada', name: 'Ada Lovelace', password: 'lovelace' },
  { id: 'grace', name: 'Grace Hopper', password: 'hopper' },
];

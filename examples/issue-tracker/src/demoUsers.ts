// Only a demo has passwords in its code: the sign-in page shows them, and a button switches between the two users.
export interface User {
  readonly id: string;
  readonly name: string;
  /** A maintainer may change every issue, a reporter only her own. */
  readonly role: 'maintainer' | 'reporter';
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** “Keep me signed in”. */
  readonly remember?: boolean;
}

export const DEMO_USERS: readonly (User & { readonly password: string })[] = [
  { id: 'ada', name: 'Ada Lovelace', role: 'maintainer', password: 'lovelace' },
  { id: 'grace', name: 'Grace Hopper', role: 'reporter', password: 'hopper' },
];

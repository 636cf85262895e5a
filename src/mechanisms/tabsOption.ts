/** The default name of a session. */
export const DEFAULT_NAME = 'data-client-auth';

/** The option for sessions that tabs share. */
export interface TabsOptions {
  /**
   * The name under which tabs of one origin share the sign-in: a sign-in or sign-out in one tab happens in all, and one tab
   * at a time refreshes. Two sessions of one page need two names, unless they use the same cookie. False: tabs share nothing.
   *
   * With `storage: 'session'`, the frames of one tab share the sign-in, with or without a name, and each refreshes for itself.
   *
   * @default for cookies, 'data-client-auth' with the `trustedOrigins`; for `storage: 'local'`, a store of your own or a
   * `RememberedStorage`, the `storageKey`; none for memory and session storage
   */
  readonly tabs?: string | false | undefined;
}

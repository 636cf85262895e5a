/** The default name of a session. */
export const DEFAULT_NAME = 'data-client-auth';

/** The option for sessions whose cookie tabs share. */
export interface TabsOptions {
  /**
   * The name under which tabs of one origin share the sign-in: a sign-in or sign-out in one tab happens in all, and one tab
   * at a time refreshes. Two sessions of one page need two names, unless they use the same cookie. False: tabs share nothing.
   * @default 'data-client-auth' with the `trustedOrigins`
   */
  readonly tabs?: string | false | undefined;
}

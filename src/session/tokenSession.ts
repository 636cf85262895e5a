import type { Session } from './session.js';

/** The arguments of `enter` of a token session. `remember` decides where a `RememberedStorage` stores the sign-in. @default false */
export type EnterArguments<Result> = [result: Result, choice?: { readonly remember?: boolean | undefined }];

/** A session whose credential is a token. */
export interface TokenSession<
  User = unknown,
  LoginArgs extends readonly unknown[] = readonly never[],
  LogoutArgs extends readonly unknown[] = [],
  Result = never,
> extends Session<User, LoginArgs, LogoutArgs, EnterArguments<Result>> {
  /**
   * Returns an access token for code that sends it without the session: a WebSocket, `EventSource`, or a worker. A token
   * that is due for a refresh is refreshed first. Waits for the check for an existing session, and while the session is locked.
   *
   * Call it right before each connect, and do not store the token: only the session knows when it is refreshed or ends.
   * Requests of endpoints do not need it.
   *
   * @throws SignedOutError while no user is signed in, IdentityChangedError when the identity changes during the refresh,
   * RefreshUnavailableError when the token has expired and cannot be refreshed now.
   * @example
   * const socket = new WebSocket('wss://api.example.com/news', ['bearer', await session.getToken()]);
   */
  getToken(): Promise<string>;
}

/**
 * Who is signed in, in one word. A refresh of credentials is not a status. `locked`: the session has expired, and waits
 * for its user to sign in again; only with the `onExpiry` of a provider (see `lock`).
 */
export type SessionStatus = 'restoring' | 'anonymous' | 'authenticated' | 'locked';

/** Why no user is signed in: by their own act, by the server's refusal, by an act outside this page, or because they were idle. */
export type SignOutReason = 'signed-out' | 'expired' | 'elsewhere' | 'idle';

/** The state of a session as its readers see it. The same object until one of its fields changes; a refresh changes none. */
export interface SessionSnapshot<User = unknown> {
  readonly status: SessionStatus;
  /** Why no user is signed in; `expired` or `idle` while locked. Undefined while a user is signed in, and before anyone ever was. */
  readonly reason: SignOutReason | undefined;
  /**
   * The user, as the server last described them: in the result of the login, of `whoami`, or of `reload()`. Undefined
   * while no user is signed in, but not while locked. With the option `user` of the session, an instance of that class; the record in the
   * store may be newer, and `useAuth().user` has that one.
   */
  readonly user: User | undefined;
  /** Grows by one at each change of identity, never at a refresh. */
  readonly epoch: number;
  /** The failure of the last login, logout or restore. Undefined once one succeeds. */
  readonly error: Error | undefined;
  /**
   * The call that the server has not confirmed: `'restore'` if the check for an existing session failed, `'logout'` if the
   * server has not confirmed a sign-out. Set while no user is signed in, and while the session of an idle user is locked. A
   * failed login does not change it. Undefined if there is no such call.
   */
  readonly unconfirmed: 'restore' | 'logout' | undefined;
}

/**
 * Holds an identity, or none. A plain object made outside React, like a query client. Give it to a provider, or to
 * `authEndpoint` for use outside React.
 */
export interface Session<
  User = unknown,
  LoginArgs extends readonly unknown[] = readonly never[],
  LogoutArgs extends readonly unknown[] = [],
  EnterArgs extends readonly unknown[] = readonly never[],
> {
  /**
   * Signs in. Resolves when the identity is known, its credentials are in place and every subscriber was called. Waits as
   * long as the `login` option does. The last call wins: an earlier one under way rejects with `IdentityChangedError`.
   *
   * @throws what the `login` option threw; the snapshot has the `error`. Who is signed in does not change, with one
   * exception: after a cookie login that was sent and fails without a clear refusal (status 400, 401, 403, 409, 422 or 429), or
   * whose second factor is cancelled, `whoami` says who is.
   * @throws InvalidCredentialError when its result has no usable credential.
   */
  login(...args: LoginArgs): Promise<User | undefined>;
  /**
   * Signs in a user to whom the server has given credentials in another way than by `login`: after a registration, by a
   * magic link, or after a reset of the password. Otherwise it is a login: the last one called wins, and the storage, the
   * other tabs and the identity are the same.
   *
   * A token session gets the server's answer, in the shape of the login's, and sends no request. A cookie session gets
   * nothing, because the browser has the cookie already: it calls `whoami`. A session of `createSession` gets
   * `{ credential, user?, subject? }`, unless its mechanism has an `enter` of its own.
   *
   * @throws InvalidCredentialError when the answer has no usable credential, or `whoami` finds no user.
   * @example
   * await session.enter(await register({ email, password }));
   */
  enter(...args: EnterArgs): Promise<User | undefined>;
  /**
   * Signs out: on this page at once, then on the server. The arguments go to the `logout` option; the event of an
   * `onClick={logout}` never does.
   *
   * If it is not known yet who is signed in, or the last check has failed, a token session first looks for a session: in
   * the storage, then with `restore`. It calls the `logout` option with the tokens that it finds, if there are any.
   *
   * @throws what the `logout` option threw; RefreshUnavailableError or InvalidCredentialError if that search fails; a
   * DOMException named TimeoutError without an answer in time. The user is signed out on this page even then, but the
   * server may not know: the snapshot is `unconfirmed`, and another `logout()` sends the request again. A caller may
   * ignore the promise: it causes no unhandled rejection.
   */
  logout(...args: LogoutArgs): Promise<void>;
  /**
   * Gets fresh credentials for the same user; concurrent calls share one refresh. While no user is signed in, or the session
   * is locked, it checks again for an existing session (the `restore` or `whoami` option).
   *
   * @throws SessionExpiredError when the server refuses, RefreshUnavailableError when the server cannot be reached in time,
   * TypeError when a user is signed in and the session has no way to refresh.
   */
  refresh(): Promise<void>;
  /**
   * Asks the server again who the user is: `whoami` of a cookie session, `profile` of another. Calls at the same time
   * share one request. While the session checks for an existing session, waits for that check; while it is locked,
   * for its user. Nothing is mounted again, and with the option `user` only what shows a changed field renders.
   *
   * Another user in the answer of `whoami` is signed in instead, and no user ends the session, as after each check. A
   * `profile` that names another user ends the session as expired.
   *
   * @returns the user, as `getSnapshot().user` has them then.
   * @throws TypeError when the session has no such endpoint, SignedOutError while no user is signed in, the reason of the
   * end when the identity ends during the request, RefreshUnavailableError when `whoami` gives no answer, and what
   * `profile` throws.
   * @example
   * await session.fetch('/avatar', { method: 'PUT', body: file });
   * await session.reload();
   */
  reload(): Promise<User>;
  /**
   * Resolves when it is known who is signed in: the status is not `restoring`. At once when it is known already;
   * otherwise it starts the check for an existing session, if no check is under way. Never rejects: after a failed check
   * no user is signed in, and the snapshot has the `error`.
   *
   * @example
   * await session.ready();
   * const isSignedIn = session.getSnapshot().status === 'authenticated';
   */
  ready(): Promise<void>;
  /**
   * The platform's `fetch`, as the current user: for what no endpoint sends, such as a generated client, GraphQL or an
   * upload. The same function for the life of the session; it needs no `this`, so `{ fetch: session.fetch }` works.
   *
   * The request belongs to the identity of the call, and its credential is read when it is sent. It waits for a refresh,
   * is sent again after a refused credential or CSRF token, and is aborted with the identity and with the caller's
   * signal; so is the body of its response. Only `trustedOrigins` get it (without the list, the page's own origin). Like
   * an endpoint's, it has `cache: 'no-store'` unless the call sets `cache`, and follows no redirect with a credential.
   *
   * Resolves with the response, whatever its status. A `Request` is read when it is passed, and not used up. When the
   * session expires, a call whose credential the server refused resolves with that response.
   *
   * @throws UntrustedOriginError, RedirectRefusedError, OtherUserResponseError, UnreplayableBodyError for a stream that has to be sent again,
   * IdentityChangedError when the identity ends before the response has come, RefreshUnavailableError when the credentials
   * have expired and cannot be refreshed now, ChallengeCancelledError, and what `fetch` throws.
   * @example
   * const client = createClient<paths>({ baseUrl: 'https://api.example.com', fetch: session.fetch });
   * @see https://fetch.spec.whatwg.org/#fetch-method
   * @see https://www.rfc-editor.org/rfc/rfc6750
   */
  readonly fetch: SessionFetch;
  /**
   * Aborted when the identity of this moment ends, with the reason that its requests get; a refresh does not abort it. For code that
   * outlives one request, such as a loop that tries again: what it sends with this signal is sent as the user of its start, or not at all.
   *
   * @example
   * const signal = session.getIdentitySignal();
   * const save = ArticleResource.partialUpdate.extend({ signal });
   * while (!(await save({ id }, draft).then(() => true, () => false))) {
   *   signal.throwIfAborted();
   *   await pause();
   * }
   */
  getIdentitySignal(): AbortSignal;
  /** Calls the listener after each change of the snapshot. Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  getSnapshot(): SessionSnapshot<User>;
  /**
   * Aborts everything under way and forgets the credentials in memory. Does not change the storage. For a session whose
   * provider is unmounted; with a mounted provider, the session checks for an existing session at once. Safe to call
   * twice.
   *
   * A refresh under way is aborted too, as when the page is closed: if its refresh token can be used only once, the one
   * in the storage may be used up, and the user signs in again.
   */
  dispose(): void;
}

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

/** The init of `session.fetch`: the members of `RequestInit`, and one more. */
export interface SessionFetchInit extends RequestInit {
  /**
   * Returns true if a response refuses the credential although its status does not say so, as GraphQL does with a 200.
   * Then the credential is refreshed and the request is sent once more, as after a 401. Called with a copy of each
   * response while a user is signed in; a 401 is a refusal in any case. The caller gets the response when it returns: look
   * at the `Content-Type` before you read, because a body that stays open (server-sent events) never ends.
   *
   * @throws anything: the caller of the request gets it in place of the response.
   */
  readonly isRefused?: ((response: Response) => boolean | Promise<boolean>) | undefined;
}

/** A function with the signature of `fetch` that sends requests as the current identity of a session. */
export type SessionFetch = (input: RequestInfo | URL, init?: SessionFetchInit) => Promise<Response>;

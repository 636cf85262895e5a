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

import { SessionExpiredError } from '../../errors.js';
import { getOrCreate } from '../../getOrCreate.js';
import type { SessionParts } from '../parts.js';
import { readCall } from './readCall.js';
import { RefusalCopy } from './refusalCopy.js';
import type { RequestToSend } from './requestScope.js';
import { currentAuthCall, type ObservableSession } from './runAsAuthCall.js';
import { attemptOfAuthCall, numberedAttempts, sendOnce, type Attempt } from './sendOnce.js';

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

/** Brings a response to the code that decides about refusals, and back to the caller. */
class PossibleRefusal extends Error {
  constructor(readonly response: Response) {
    super();
  }
}

/** Asks once for each response, with a copy of it. */
function askOnce(isRefused: NonNullable<SessionFetchInit['isRefused']>): typeof isRefused {
  const answers = new WeakMap<Response, Promise<boolean>>();
  const ask = async (copy: Response) => {
    try {
      return await isRefused(copy);
    } finally {
      // Two bodies share a connection until both are read or cancelled: the caller could not close it.
      copy.body?.cancel().catch(() => {});
    }
  };
  return response => getOrCreate(answers, response, () => ask(response.clone()));
}

/** Creates the `fetch` of a session. It takes the same way as the requests of endpoints: see `RequestSender`. */
export function createSessionFetch(
  { store, withDeadline }: Pick<SessionParts<unknown, unknown>, 'store' | 'withDeadline'>,
  session: () => ObservableSession & { send<T>(request: RequestToSend<T>): Promise<T> },
): SessionFetch {
  // Its first part runs before anything is awaited: the request belongs to the identity of the call.
  return async (input, init = {}) => {
    const { isRefused } = init;
    const call = readCall(input, init);
    const send = async (attempt: Attempt, untilRead: (sent: RequestInit) => RequestInit = sent => sent) =>
      sendOnce({ ...call, urlPrefix: '', init: await call.init }, attempt, (url, sent) => fetch(url, untilRead(sent)));
    const authCall = currentAuthCall();
    if (authCall) return send(attemptOfAuthCall(authCall));

    const { method, signal } = call;
    const { epochSignal } = store;
    // The caller reads the body when the request scope has ended, so the signals are composed for the platform's fetch.
    const untilRead = (sent: RequestInit) =>
      signal ? { ...sent, signal: AbortSignal.any([sent.signal!, epochSignal, signal]) } : sent;
    let refusal: RefusalCopy | undefined;
    const sendAttempt = async (attempt: Attempt): Promise<Response> => {
      refusal?.cancel();
      const response = await send(attempt, untilRead);
      if (response.ok && !isRefused) return response;
      throw new PossibleRefusal(response);
    };
    try {
      return await session().send({
        method,
        signal,
        sendAttempt: numberedAttempts(session(), sendAttempt),
        isRefused: isRefused && askOnce(isRefused),
        async onRefused(response, mayEnd) {
          refusal = new RefusalCopy(response, withDeadline, epochSignal);
          if (mayEnd) await refusal.result;
        },
      });
    } catch (error) {
      if (error instanceof PossibleRefusal) return error.response;
      const copy = error instanceof SessionExpiredError ? await refusal?.result : undefined;
      refusal?.cancel();
      if (copy) return copy;
      throw error;
    }
  };
}

import { DEFAULT_TIMEOUT_MS, timeoutError, withTimeout } from '../clock.js';
import { ChallengeCancelledError, InvalidCredentialError, SessionExpiredError } from '../errors.js';
import type { AnswerValues, Challenges, StepUpOptions } from './challenge.js';
import { isRepeated, readChallenge } from './readChallenge.js';
import { parseWwwAuthenticate } from './wwwAuthenticate.js';
import { responseOf } from '../session/errorKinds.js';
import type { Extension, Hooks, SessionCore } from '../session/extension.js';
import { ownCall } from '../mechanisms/ownCall.js';
import { tryOrUndefined } from '../mechanisms/tryOrUndefined.js';
import type { AuthChallenge, SignedIn } from '../session/mechanism.js';
import type { Position } from '../session/state.js';
import { createChallengeList, type ListedChallenge } from './challengeList.js';

declare module '../session/extension.js' {
  interface SessionCore {
    /** The challenges of a session with `stepUp()`. */
    readonly challenges?: Challenges;
  }
}

const NO_ANSWER =
  'This session cannot answer a challenge: give stepUp() the option `answer`, a function that sends what the user has typed.';
const OTHER_USER =
  'The answer to the challenge brought the credential of another user, so it was not used. Sign that user in instead.';
/** The user answers this often for one request: a server that has new `details` for each refusal could ask for ever. */
const MAX_CHALLENGES = 3;

/**
 * For servers that ask the user for a password or a code before some requests, or for a second factor at the login.
 *
 * A refusal that is a challenge starts no refresh and ends nothing. Its request waits, and others that are refused for the same
 * reason wait with it, also if the `details` differ. `useChallenge()` or `<Challenge>` asks the user once; after the answer each
 * request is sent once more. A request that is refused again with the same challenge, `details` included, is its caller's error.
 * With another challenge the user is asked again, for one request at most three times in all. While the user thinks, other
 * requests go on.
 *
 * @throws TypeError when `answer` is missing, as soon as a session without an SDK is made.
 * @example
 * createTokenSession({
 *   // …
 *   extensions: [stepUp({ answer: new RestEndpoint({ urlPrefix: api, path: '/step-up', method: 'POST' }) })],
 * });
 * @see https://www.rfc-editor.org/rfc/rfc9470
 */
export function stepUp(options: StepUpOptions = {}): Extension {
  return session => createStepUp(session, options);
}

function createStepUp(session: SessionCore, options: StepUpOptions): Hooks {
  const { mechanism } = session;
  const { answer, readLoginResult } = options;
  if (!answer && !mechanism.answerChallenge) throw new TypeError(NO_ANSWER);
  const timeoutMs = mechanism.timeout ?? DEFAULT_TIMEOUT_MS;
  const list = createChallengeList(() => session.getSnapshot().status === 'locked');
  session.subscribeToCredential(list.onCredential);
  const news = createNews(session, () => {
    answeredAt++;
    list.finishElsewhere();
  });
  /** How many answers the page knows of. What was refused before the last one is sent again. */
  let answeredAt = 0;
  const startedAt = new WeakMap<object, number>();
  /** The challenges after whose answers on this page a request was sent again. */
  const answeredFor = new WeakMap<object, readonly AuthChallenge[]>();
  Object.assign(session, {
    challenges: { getSnapshot: list.getSnapshot, subscribe: list.subscribe, isAnsweredBySdk: !answer },
  });

  function read(response: Response): Promise<AuthChallenge | undefined> {
    return readChallenge(response, options, promise =>
      withTimeout(session.clock, timeoutMs, promise, () => timeoutError(timeoutMs)),
    );
  }

  const onRefusal: Hooks['onRefusal'] = async (response, scope) => {
    const challenge = await read(response);
    scope.signal.throwIfAborted();
    if (!challenge) return undefined;
    // The sign-in that unlocks the session may be what the server wants.
    if (session.getSnapshot().status === 'locked') return true;
    if (startedAt.get(scope)! < answeredAt) return true;
    const before = answeredFor.get(scope) ?? [];
    if (before.length === MAX_CHALLENGES || before.some(answered => isRepeated(answered, challenge))) return false;
    const entry = list.find(challenge) ?? open(challenge);
    try {
      const { isElsewhere } = await entry.wait(scope.signal);
      // The other tab may have answered another challenge, so this page may have to ask once more.
      if (!isElsewhere) answeredFor.set(scope, [...before, entry.challenge]);
      return true;
    } finally {
      entry.closeIfUnused();
    }
  };

  function open(challenge: AuthChallenge): ListedChallenge {
    return list.open(challenge, session.open().signal, (values, signal) => send(values, challenge, signal));
  }

  /** Sends the user's answer, and takes over the credential that it brings. */
  async function send(values: AnswerValues, challenge: AuthChallenge, signal: AbortSignal): Promise<void> {
    // An SDK asks the user itself, and may need the user's click for its window.
    const result = answer
      ? await sendToServer(values, challenge, signal)
      : await mechanism.answerChallenge!(challenge, signal);
    signal.throwIfAborted();
    const isNothing = result === undefined || result === null || result === '';
    if (!isNothing && mechanism.readAnswer) await session.renew(current => credentialIn(result, current), signal);
    signal.throwIfAborted();
    // The answer may have brought another cookie.
    if (mechanism.gate) void session.recheck();
    answeredAt++;
    news.tell();
  }

  /** @throws InvalidCredentialError when it is no credential, or another user's */
  function credentialIn(result: unknown, current: SignedIn<unknown, unknown>): unknown {
    try {
      const { credential, subject } = mechanism.readAnswer!(result, current);
      if (subject === current.subject) return credential;
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) throw error;
    }
    throw new InvalidCredentialError(OTHER_USER);
  }

  /**
   * A refused credential is refreshed. The answer is sent again only if the server clearly refused the credential, and not the answer: a
   * second wrong code could lock the user out. Else the next answer has the fresh one.
   */
  async function sendToServer(values: AnswerValues, challenge: AuthChallenge, signal: AbortSignal): Promise<unknown> {
    const sendOnce = () => session.act('challenge', signal, () => callApp(values, challenge));
    const before = session.getCredential();
    try {
      return await sendOnce();
    } catch (error) {
      const response = responseOf(error);
      const { refreshOn = 'unauthorized' } = mechanism;
      if (!response || !mechanism.refresh || (await classify(response)) !== refreshOn) throw error;
      if (session.getCredential() === before) await session.refresh();
      // The cookie may be another user's by now.
      if (mechanism.gate) void session.recheck();
      if (refreshOn === 'csrf-rejected' || isInvalidToken(response)) return sendOnce();
      throw error;
    }
  }

  function classify(response: Response) {
    if (mechanism.classify) return mechanism.classify(response);
    return response.status === 401 ? 'unauthorized' : undefined;
  }

  /** An endpoint gets the values alone: it would take a first argument of two for its params, and put them in the address. */
  async function callApp(values: AnswerValues, challenge: AuthChallenge): Promise<unknown> {
    const args = 'extend' in answer! ? [values] : [values, challenge];
    return ownCall(answer!, () => session)(...(args as [AnswerValues, AuthChallenge]));
  }

  const onLogin: Hooks['onLogin'] = async (sendFirst, run, superseded) => {
    let [result, challenge] = await sendFirst().then(
      async first => [first, readLoginResult?.(first)] as const,
      async (error: unknown) => {
        const response = responseOf(error);
        const wanted = response && (await read(response));
        if (!wanted) throw error;
        return [undefined, wanted] as const;
      },
    );
    while (challenge) {
      result = await askInLogin({ ...challenge, isLogin: true }, run, superseded);
      challenge = readLoginResult?.(result);
    }
    return result;
  };

  /**
   * Returns the result of the answer. When the challenge is closed while an answer is on the wire, the server may still sign the user in,
   * so this settles as that answer does.
   */
  async function askInLogin(
    challenge: AuthChallenge,
    run: Parameters<NonNullable<Hooks['onLogin']>>[1],
    superseded: AbortSignal,
  ): Promise<unknown> {
    superseded.throwIfAborted();
    let sent: Promise<unknown> | undefined;
    const entry = list.open(challenge, superseded, values => {
      sent = run(() => callApp(values, challenge));
      sent.catch(() => (sent = undefined));
      return sent;
    });
    try {
      const outcome = await entry.wait(superseded);
      return outcome.isElsewhere ? undefined : outcome.result;
    } catch (error) {
      if (!sent) throw error;
      if (error instanceof ChallengeCancelledError) session.cancelLogin(error);
      // The first factor may have set a cookie, so no refusal of the second one is a clear one.
      return sent.catch(() => {
        throw error;
      });
    }
  }

  return {
    beforeSending: scope => void (scope && startedAt.set(scope, answeredAt)),
    onRefusal,
    onLogin,
    start: news.listen,
  };
}

/** The server says that the token has expired (RFC 6750, section 3.1). */
function isInvalidToken({ headers }: Response): boolean {
  return parseWwwAuthenticate(headers.get('WWW-Authenticate')).some(({ params }) => params.error === 'invalid_token');
}

/** Tells the other tabs of a sign-in that its user has answered. */
function createNews(session: SessionCore, onAnswered: () => void) {
  let channel: BroadcastChannel | undefined;
  const signIn = () => {
    const { subject, signInId, revision } = session.getOwner() ?? {};
    return { id: session.mechanism.storage ? signInId : subject, revision };
  };
  return {
    tell(): void {
      if (!session.sharesSignIn()) return;
      try {
        channel?.postMessage(signIn());
      } catch {
        // The user answers there too.
      }
    },
    listen(): () => void {
      const { tabs } = session.mechanism;
      // A page without storage may have none.
      channel =
        tabs === undefined
          ? undefined
          : tryOrUndefined(() => new BroadcastChannel(`data-client-auth:${tabs}:answered`));
      if (!channel) return () => {};
      channel.onmessage = ({ data }: MessageEvent<Position>) => {
        const isSame = () => data.id !== undefined && data.id === signIn().id;
        // The message may come before the credential that the answer has brought.
        if (isSame()) void session.catchUp(data).then(() => isSame() && onAnswered());
      };
      return () => {
        channel?.close();
        channel = undefined;
      };
    },
  };
}

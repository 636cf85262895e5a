import { systemClock } from '../../clock.js';
import { InvalidCredentialError } from '../../errors.js';
import type { TokenSession } from '../../session/tokenSession.js';
import type { UserOption } from '../../session/userClass.js';
import { sharedSignInError } from '../../session/sharedOnServer.js';
import { assertFunctions } from '../assertFunctions.js';
import { createContextSession } from './createContextSession.js';
import { jwtClaims } from '../jwtClaims.js';
import { rejectionAsSignedOut } from '../refusals.js';
import type { SdkSessionOptions } from './SdkSessionOptions.js';
import { SdkSubject, type SdkSubjectResult } from './SdkSubject.js';
import { shareCalls, type GetToken } from './sdkToken.js';

/** A session whose user signs in with an SDK. Its `login()` takes over a user who has signed in again after an expiry. */
export type SdkSession<User = { readonly subject: string | undefined }> = TokenSession<User, [], [], never>;

/**
 * Creates a session whose token comes from an SDK (Auth0, Clerk, MSAL, an OpenID Connect client), as a plain object: route loaders,
 * `authEndpoint`, sockets (`session.getToken()`) and `<TokenAuthProvider session={session}>` use the same one.
 *
 * The SDK signs users in and out. The session takes over each change that `subscribe` reports: another subject is another identity, and a
 * new token of the same subject re-renders nothing.
 *
 * @throws TypeError when `getToken` is missing, or an entry of `trustedOrigins` is no origin; Error when the SDK has a user on a server,
 * without `server: true`.
 * @example
 * export const session = createSdkSession({
 *   subject: () => (clerk.user === null ? null : clerk.user?.id),
 *   getToken: async ({ forceRefresh }) => clerk.session?.getToken({ skipCache: forceRefresh }),
 *   subscribe: listener => clerk.addListener(listener),
 *   header: 'Authorization',
 *   trustedOrigins: ['https://api.example.com'],
 * });
 */
export function createSdkSession<User = { readonly subject: string | undefined }>(
  options: SdkSessionOptions & UserOption<User>,
): SdkSession<User> {
  assertFunctions(options, {
    caller: 'createSdkSession',
    required: ['getToken'],
    example: 'createSdkSession({ getToken: () => sdk.getToken(), subject: () => sdk.user?.id ?? null })',
  });
  const { header, scheme, trustedOrigins, clock = systemClock, server, subject, profile, user, challenge } = options;
  const read = () => withServerCheck(subject ? subject() : subjectOfToken(options.getToken), server);
  const source = new SdkSubject(read, server ? undefined : options.subscribe);
  const getToken = shareCalls(options.getToken, () => context.session.getSubject(), clock);
  const context = createContextSession(
    { header, scheme, trustedOrigins, clock, source, profile, user, challenge },
    { getToken, subject: subject && source.read() },
  );
  const { session } = context;
  /** What the SDK has said last. */
  let reported: string | null;
  let isTakeOverPlanned = false;
  source.listen(subject => {
    const takeOver = () => context.update({ getToken, subject: reported });
    reported = subject;
    if (session.getSnapshot().status !== 'restoring') return takeOver();
    if (!source.wasAsked || isTakeOverPlanned) return;
    // The check finds the subject itself, and requests that wait for it keep their identity. But it may have its answer already.
    isTakeOverPlanned = true;
    void session.ready().then(() => {
      isTakeOverPlanned = false;
      takeOver();
    });
  });
  const { dispose } = session;
  const close = () => {
    source.close();
    dispose();
  };
  const getUsableToken = async () => (await session.getUsableCredential()).token;
  return Object.assign(session, { getToken: getUsableToken, dispose: close }) as SdkSession<User>;
}

/** @throws Error when visitors of a server would share a user. */
function withServerCheck<T extends SdkSubjectResult | Promise<SdkSubjectResult>>(result: T, server?: boolean): T {
  const check = (subject: SdkSubjectResult) => {
    const error = typeof subject === 'string' ? sharedSignInError(server) : undefined;
    if (error) throw error;
    return subject;
  };
  return (result instanceof Promise ? result.then(check) : check(result)) as T;
}

const NO_SUB =
  'getToken gave a token that does not name its user, so the session could not tell two users apart. Give createSdkSession the option `subject`: a function that returns the user id that the SDK knows, or null while no user is signed in.';

async function subjectOfToken(getToken: GetToken): Promise<string | null> {
  const token = await rejectionAsSignedOut(getToken({ forceRefresh: false }));
  if (!token) return null;
  const { sub } = jwtClaims(token);
  if (sub === undefined) throw new InvalidCredentialError(NO_SUB);
  return sub;
}

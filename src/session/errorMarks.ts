import { warnOnce } from '../warnOnce.js';

const handled = new WeakSet<object>();

/** Marks an error that a session has classified, or that concerns no session (of a public endpoint). */
export function markHandled(error: unknown): void {
  if (typeof error === 'object' && error !== null) handled.add(error);
}

/** True for a marked error. `LogoutManager` ignores these. */
export function isHandled(error: object): boolean {
  return handled.has(error);
}

const senders = new WeakMap<object, EndpointName>();

/** What a developer recognizes an endpoint by. */
interface EndpointName {
  readonly name: string;
  readonly method: string;
  readonly path?: string;
  readonly schema?: unknown;
}

/**
 * Notes the endpoint of an error whose request belonged to no session, and warns at once where it is that of a resource: the component
 * that reads it may never be mounted. In development only.
 */
export function noteSender(error: unknown, endpoint: EndpointName): void {
  if (typeof error !== 'object' || error === null) return;
  senders.set(error, endpoint);
  const { status } = error as { status?: unknown };
  if (endpoint.schema && (status === 401 || status === 403)) warnOnce(warningWithoutSession(error, status)!);
}

/** The warning for a 401 to an endpoint of another class, with its address and without its params, which may be secret. */
function warningOfOtherClass(error: object): string {
  const address = (error as { response?: { url?: string } }).response?.url?.split(/[?#]/, 1)[0];
  return `${address || 'A request'} was answered with 401, which ends the session. Its endpoint is not of the kit, so the session has attached no credentials. Make it with resource() or RestEndpoint of data-client-auth, and read it by the hook of hookifyResource(resource).`;
}

/** The warning for a 401 that answered a request without a session, and for a 403 to an endpoint of the kit; undefined for other errors. */
export function warningWithoutSession(error: object, status: number): string | undefined {
  const endpoint = senders.get(error);
  if (!endpoint) return status === 401 ? warningOfOtherClass(error) : undefined;
  const { name, method, path = '' } = endpoint;
  return `${method} ${path} (${name}) was answered with ${status}. Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource), for example useSuspense(Articles.useGet(), params), or mark the endpoint \`public: true\`.`;
}

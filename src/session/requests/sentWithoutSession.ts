const senders = new WeakMap<object, EndpointName>();

/** What a developer recognizes an endpoint by. */
interface EndpointName {
  readonly name: string;
  readonly method: string;
  readonly path?: string;
}

/** Notes the endpoint of an error whose request belonged to no session. In development only. */
export function noteSender(error: unknown, endpoint: EndpointName): void {
  if (typeof error === 'object' && error !== null) senders.set(error, endpoint);
}

/** The warning for a 401 or 403 that answered a request without a session; undefined for other errors. */
export function warningWithoutSession(error: object, status: number): string | undefined {
  const endpoint = senders.get(error);
  if (!endpoint) return undefined;
  const { name, method, path = '' } = endpoint;
  return `${method} ${path} (${name}) was answered with ${status}. Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource), for example useSuspense(Articles.useGet(), params), or mark the endpoint \`public: true\`.`;
}

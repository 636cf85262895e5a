import { http, HttpResponse, type RequestHandler } from 'msw';

/** One request and its answer, as `@octokit/fixtures` has recorded it. */
interface Recorded {
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly response: unknown;
  readonly reqheaders: Readonly<Record<string, string | number | undefined>>;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

interface ReplayOptions {
  /** Other paths of a recorded address: GitHub's links have `/repositories/1000` for the repository with that id. */
  sameAs?: Readonly<Record<string, string>>;
}

/** The headers of an answer that a page may read and that the kit or an app uses. */
const ANSWER_HEADERS = ['content-type', 'etag', 'link', 'location', 'x-ratelimit-limit', 'x-ratelimit-remaining'];

/**
 * Answers with a recorded scenario. Refuses other requests as GitHub does: 404 for an address that was not recorded, 401 for another
 * `Authorization`, 415 for another media type, 400 for another body.
 */
export function replayFixture(recorded: readonly Recorded[], { sameAs = {} }: ReplayOptions = {}): RequestHandler[] {
  const addressOf = (url: URL) => {
    const renamed = Object.entries(sameAs).find(([other]) => url.pathname.startsWith(`${other}/`));
    const path = renamed ? renamed[1] + url.pathname.slice(renamed[0].length) : url.pathname;
    return `${path}?${[...url.searchParams]
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('&')}`;
  };
  const find = (method: string, url: URL) =>
    recorded.find(
      one => one.method.toUpperCase() === method && addressOf(new URL(one.path, one.scope)) === addressOf(url),
    );

  return [...new Set(recorded.map(({ scope }) => new URL(scope).origin))].map(origin =>
    http.all(`${origin}/*`, async ({ request }) => {
      const found = find(request.method, new URL(request.url));
      if (!found) return refusal(404, 'Not Found');
      const { authorization, accept } = found.reqheaders;
      if (request.headers.get('authorization') !== authorization) return refusal(401, 'Bad credentials');
      if (request.headers.get('accept') !== accept) return refusal(415, "Unsupported 'Accept' header");
      if (!isSameJson(await request.text(), found.body)) return refusal(400, 'Problems parsing JSON');
      const headers = ANSWER_HEADERS.flatMap((name): [string, string][] =>
        name in found.headers ? [[name, String(found.headers[name])]] : [],
      );
      return new HttpResponse(found.status === 204 ? null : JSON.stringify(found.response), {
        status: found.status,
        headers,
      });
    }),
  );
}

function refusal(status: number, message: string): Response {
  return HttpResponse.json({ message, documentation_url: 'https://docs.github.com/rest' }, { status });
}

/** True if the body is the recorded one. The fields of an object may be in any order. */
function isSameJson(sent: string, recorded: unknown): boolean {
  if (sent === '' || recorded === '') return sent === recorded;
  return inOrder(JSON.parse(sent)) === inOrder(recorded);
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

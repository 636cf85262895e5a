import { onOneLine } from './readRequestBody.js';
import { formatRequestLine } from './JournalEntry.js';

export interface RequestLinesOptions {
  /**
   * The start of each address, as the journal prints it: `/api`, or `https://api.example.com` for another origin.
   * An absolute URL in a single line replaces it.
   * @default ''
   */
  prefix?: string;
  /** @default 'same-origin' */
  credentials?: RequestCredentials;
  /**
   * The headers of a user's credential. `token` is the number that was passed to `as()`: 1 for the first token.
   * @default the tokens of `tokenAuthHandlers`: { 'access-token': `${user}-${token}` }
   */
  as?: (user: string, token: number) => Record<string, string>;
}

/** Starts a line with one method. Paths start with a slash: `sent.get('/article?page=2')`. */
export type RequestLines = Readonly<
  Record<'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put', (path: string) => RequestLine>
>;

interface Parts {
  readonly method: string;
  readonly address: string;
  readonly credentials: RequestCredentials;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly as: NonNullable<RequestLinesOptions['as']>;
}

/** The reserved domain stands for the page, so that an address without an origin stays a path. */
const PAGE = 'http://page.invalid';

/** One expected request. Each method returns another line and does not change this one. `requestLines` creates the first. */
export class RequestLine {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Adds the credential of a user.
   * @param token 1 for the user's first token, 2 for the one that a refresh or a second login issues, and so on.
   * @default token 1
   */
  as(user: string, token = 1): RequestLine {
    return this.headers(this.#parts.as(user, token));
  }

  /** Adds a JSON body: `{"title":"On writing"}`. */
  json(body: unknown): RequestLine {
    return this.body(JSON.stringify(body));
  }

  /** Adds any other body, as the journal prints it: text as it was sent, or `form-data{title=Hello}`. */
  body(text: string): RequestLine {
    return new RequestLine({ ...this.#parts, body: onOneLine(text) });
  }

  /** Adds headers. `toHaveSent` compares credential headers, and those that its option `headers` names. */
  headers(headers: Record<string, string>): RequestLine {
    return new RequestLine({ ...this.#parts, headers: { ...this.#parts.headers, ...normalize(headers) } });
  }

  /** Replaces the credentials mode of this line. */
  credentials(credentials: RequestCredentials): RequestLine {
    return new RequestLine({ ...this.#parts, credentials });
  }

  /** The line as the journal formats it. */
  get line(): string {
    const { address, headers, ...rest } = this.#parts;
    const { href, origin } = new URL(address, PAGE);
    const request = { ...rest, headers, url: href, origin };
    return formatRequestLine(request, { headers: Object.keys(headers), origin: PAGE });
  }

  toString(): string {
    return this.line;
  }
}

/**
 * Creates a builder for the lines that `toHaveSent` compares. Make one for each API, next to its mock server.
 *
 * @example
 * const sent = requestLines({ prefix: 'https://api.example.com' });
 * await expect(journal).toHaveSent([
 *   sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
 *   sent.get('/article').as('ada'),
 *   sent.patch('/article/1').as('ada', 2).json({ title: 'On writing' }),
 * ]);
 * @see journalMatchers
 */
export function requestLines(options: RequestLinesOptions = {}): RequestLines {
  const { prefix = '', credentials = 'same-origin', as = accessToken } = options;
  const start = (method: string) => (path: string) => {
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(path) ? path : `${prefix}${path}`;
    return new RequestLine({ method, address, credentials, headers: {}, body: undefined, as });
  };
  return {
    delete: start('DELETE'),
    get: start('GET'),
    head: start('HEAD'),
    options: start('OPTIONS'),
    patch: start('PATCH'),
    post: start('POST'),
    put: start('PUT'),
  };
}

function accessToken(user: string, token: number): Record<string, string> {
  return { 'access-token': `${user}-${token}` };
}

/** Names in lower case and values without outer spaces, as the journal gets them from the request. */
function normalize(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

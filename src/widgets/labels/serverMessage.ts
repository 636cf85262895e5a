// What a server says itself about a request that it has refused.
import { systemClock, withTimeout, type Clock } from '../../clock.js';

/** The request is known to be refused, so its text waits only this long for the server's own. */
const BODY_TIMEOUT_MS = 2_000;
/** A sentence or two. A longer text is cut. */
const MAX_LENGTH = 300;

/** The JSON of a response, which stays readable. Undefined for a body that is not JSON, and after 2 s. */
export async function readJsonBody(response: Response, clock: Clock = systemClock): Promise<unknown> {
  try {
    return await withTimeout<unknown>(
      clock,
      BODY_TIMEOUT_MS,
      response.clone().json(),
      () => new Error('The body of the refusal took too long.'),
    );
  } catch {
    return undefined;
  }
}

/**
 * The response whose body may say why a request was refused: a 4xx with JSON. Not a 401, whose text is about
 * credentials and written for programs, and not a 5xx, whose text may be a stack trace.
 */
export function refusalWithMessage(error: Error): Response | undefined {
  const { response } = error as { response?: Response };
  if (!response || response.status < 400 || response.status >= 500 || response.status === 401) return undefined;
  return /\bjson\b/i.test(response.headers?.get('Content-Type') ?? '') ? response : undefined;
}

/**
 * The `detail`, `message` or `title` in the body of a refusal, as plain text of at most 300 characters. Undefined for a text with
 * markup: it was not written as a sentence.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3
 */
export function serverMessage(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { detail, message, title } = body as Record<string, unknown>;
  const text = [detail, message, title].find(value => typeof value === 'string' && value.trim() !== '') as
    string | undefined;
  if (text === undefined || /<[a-z!/?]/i.test(text)) return undefined;
  const sentence = text.trim().replace(/\s+/g, ' ');
  return sentence.length > MAX_LENGTH ? `${sentence.slice(0, MAX_LENGTH - 1)}…` : sentence;
}

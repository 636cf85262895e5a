/** The response of an error, if the server has refused the request. */
export function responseOf(error: unknown): Response | undefined {
  return (error as { response?: Response } | null | undefined)?.response;
}

/**
 * True for an error of the platform: no response came, or its body could not be read. It is no refusal, although
 * data-client gives such an error a `status` of 400 or 500 that no server has sent.
 */
export function isTransportError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException;
}

/** True if the answer is no JSON. WebKit rejects `response.json()` with a `DOMException`, which is no `SyntaxError` of JavaScript. */
export function isNoJson(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof DOMException && error.name === 'SyntaxError');
}

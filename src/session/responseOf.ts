/** The response of an error, if the server has refused the request. */
export function responseOf(error: unknown): Response | undefined {
  return (error as { response?: Response } | null | undefined)?.response;
}

export const json = (data: unknown, status = 200) => Response.json(data, { status });
export const never = <T = Response>(): Promise<T> => new Promise(() => {});
/** The body of `fetch` where no answer comes; msw turns it into a rejection. */
export const networkError = async (): Promise<Response> => Response.error();

import { HttpResponse } from 'msw';

/** What stands in for an answer: a status, a network error, or nothing unusual. */
export type Outage = boolean | number | 'network';

/** The answer of a server that is not well: `true` is 503, `'network'` no answer at all. */
export function outageResponse(outage: Exclude<Outage, false>): Response {
  if (outage === 'network') return HttpResponse.error();
  const status = outage === true ? 503 : outage;
  return HttpResponse.json({ message: `The server answers with ${status}.` }, { status });
}

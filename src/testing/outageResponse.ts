import { HttpResponse } from 'msw';

/** How a mock server fails: `true` with 503, a number with that status, `'network'` with a network error, `false` not at all. */
export type Outage = boolean | number | 'network';

/** Creates the answer of a failing server. */
export function outageResponse(outage: Exclude<Outage, false>): Response {
  if (outage === 'network') return HttpResponse.error();
  const status = outage === true ? 503 : outage;
  return HttpResponse.json({ status }, { status });
}

import { bytes } from './bytes.js';
import { docsPage } from './docsPage.js';
import type { MeasureRun } from './MeasureRun.js';
import { append, coldStart, expiry, memory } from './mounted.js';
import { rerender, switchUser, token } from './rendering.js';
import { burst, request, unlucky } from './requests.js';
import type { Measured } from './Result.js';

/** What is measured, in this order. Each measures one row of the table, or several. */
export const MEASURES: Record<string, (run: MeasureRun) => Promise<Record<string, Measured>>> = {
  rerender,
  token,
  request,
  burst,
  unlucky,
  switch: switchUser,
  append,
  memory,
  expiry,
  coldStart,
  docsPage,
  bytes,
};

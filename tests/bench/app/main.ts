import { appendPage } from './appendPage.js';
import { burst } from './burst.js';
import { coldStart } from './coldStart.js';
import { expiry } from './expiry.js';
import { memory } from './memory.js';
import { oneRequest } from './oneRequest.js';
import { rerender } from './rerender.js';
import { switchUser } from './switchUser.js';
import { tokenChange } from './tokenChange.js';

const bench = { appendPage, burst, coldStart, expiry, memory, oneRequest, rerender, switchUser, tokenChange };

/** What the runner calls in the page. */
export type Bench = typeof bench;

declare global {
  interface Window {
    bench: Bench;
  }
}

window.bench = bench;

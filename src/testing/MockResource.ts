import type { RequestHandler } from 'msw';
import type { Release } from './createGate.js';
import type { MockAuth } from './MockAuth.js';
import type { MockPagination } from './paginate.js';

/** The two endpoints that define a resource's addresses. The result of `resource()` has them. */
export interface MockResourceSource {
  readonly get: { readonly path: string; readonly urlPrefix?: string };
  readonly getList: {
    readonly path: string;
    readonly urlPrefix?: string;
    /** The field of a list's answer that has the rows, as in the option `rows` of `resource()`. @default none: a bare array */
    readonly rows?: string | undefined;
  };
}

export interface ResourceHandlersOptions<Row extends object> {
  /**
   * The mock server that checks credentials. Requests that it refuses get its refusal: 401, or 403 for a failed CSRF check.
   * @default all requests are allowed
   */
  auth?: MockAuth;
  /**
   * Returns the id of the row's owner, or `undefined` for a shared row. Other users get 403 when they use the row, and when
   * they try to create a row or change one so that another user would own it.
   * @default all rows are shared
   */
  owner?: (row: Row) => string | undefined;
  /**
   * Lists contain only the user's own rows and shared rows.
   * @default false
   */
  private?: boolean;
  /** @default all rows in one array */
  pagination?: MockPagination;
  /** Checks a row before it is saved. Returned errors, like `{ title: ['A title is needed.'] }`, are answered with 422. */
  validate?: (row: Record<string, unknown>) => Record<string, string[]> | undefined;
  /** Adds fields that the server sets, like the author's id. Called before a row is created (POST) or replaced (PUT). */
  stamp?: (row: Record<string, unknown>, personId: string | undefined) => Record<string, unknown>;
  /**
   * The answer to a deletion: 204 without a body, or 200 with `{ id }`.
   * @default 'nothing'
   */
  deleteAnswers?: 'nothing' | 'id';
  /**
   * Delay of each answer, in milliseconds. The server checks a request when it arrives. A function gets the index of the
   * request, from 0.
   * @default 0
   */
  delay?: number | ((request: Request, index: number) => number);
}

export interface MockResource<Row extends object> {
  readonly handlers: RequestHandler[];
  /** The number of answers that `hold()` is holding now. */
  readonly held: number;
  /** The current rows. */
  rows(): Row[];
  /** Checks requests when they arrive, but holds their answers until you call the returned function. With `'lost'` they become network errors. */
  hold(): Release;
  /**
   * Makes the next requests fail without any check: with a status, or `'network'` for a network error. `times` is the number
   * of requests; `Infinity` lasts until `reset()`.
   * @default times = 1
   */
  failNext(failure: number | 'network', times?: number): void;
  /** Restores the initial rows and ends failures. Held answers become network errors. */
  reset(): void;
}

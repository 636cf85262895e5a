import { createContext, useState } from 'react';
import { callUserCallback } from '../notifyListeners.js';
import { useLatest } from './useLatest.js';

/** The request that has failed. Contains no params, headers or credentials, so it can go to an error tracker as it is. */
export interface ErrorContext {
  /** `write` for the actions of a record, for creations and for forms; else `read`. */
  readonly operation: 'read' | 'write';
  readonly endpoint: {
    /** For example `Article.getList`. */
    readonly name: string;
    readonly method: string;
    /** The path as the resource has it, for example `/article/:id`. */
    readonly path: string;
  };
}

/** The `onError` of a provider. */
export type OnError = (error: Error, context: ErrorContext) => void;

/** Calls the `onError` of the provider, once for each error. */
export type ReportFailure = (error: unknown, context: ErrorContext) => void;

/** The widgets below report their failures by it. The same function as long as the provider is mounted. */
export const ReportFailureContext = /* @__PURE__ */ createContext<ReportFailure>(() => {});

/** Returns the function for `ReportFailureContext`. It calls the newest `onError`. */
export function useReportFailureTo(onError: OnError | undefined): ReportFailure {
  const latest = useLatest(onError);
  const [report] = useState(() => {
    const reported = new WeakSet<Error>();
    return (error: unknown, { operation, endpoint: { name, method, path } }: ErrorContext) => {
      // An `IdentityChangedError` has this name too: no user of this screen waits for the outcome.
      if (!(error instanceof Error) || error.name === 'AbortError' || reported.has(error)) return;
      reported.add(error);
      callUserCallback(() => latest.current?.(error, { operation, endpoint: { name, method, path } }));
    };
  });
  return report;
}

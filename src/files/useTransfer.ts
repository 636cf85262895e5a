import { useCallback, useRef, useState } from 'react';
import { useBoundSession } from '../endpoints/SessionContext.js';
import type { BoundSession } from '../endpoints/boundSession.js';
import { linkSignals } from '../session/linkSignals.js';

/** Called with the bytes so far, and with all of them; 0 if their number is unknown. */
export type OnProgress = (loaded: number, total: number) => void;

/** What a screen shows of the call that started last. */
export interface Transfer {
  readonly isRunning: boolean;
  /** From 0 to 1. Undefined before anything has moved, and where the browser or the server does not tell. Starts again when a refused request is sent again. */
  readonly progress: number | undefined;
  /** Why the last call has failed. Undefined for one that was cancelled, or whose user has left. */
  readonly error: Error | undefined;
  /** Cancels the calls of this hook: their promises reject with an `AbortError`. The same function at every render. */
  readonly cancel: () => void;
}

/** The options of each transfer. */
export interface TransferOptions {
  /** Cancels this call. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes so far, and with all of them; 0 if their number is unknown. */
  readonly onProgress?: OnProgress | undefined;
}

type Run<Result> = (bound: BoundSession, signal: AbortSignal, onProgress: OnProgress) => Promise<Result>;

const IDLE = { isRunning: false, progress: undefined, error: undefined };

/** The state of a hook's transfers. They go on when the component is unmounted, and end with the identity of its screen. */
export function useTransfer(hook: string) {
  const bound = useBoundSession(hook);
  const [state, setState] = useState<Omit<Transfer, 'cancel'>>(IDLE);
  const running = useRef<AbortController[]>([]);
  const cancel = useCallback(() => running.current.forEach(call => call.abort()), []);

  const start = useCallback(
    <Result>({ signal: given, onProgress }: TransferOptions, run: Run<Result>): Promise<Result> => {
      const call = new AbortController();
      const show = (next: Partial<typeof state>) => {
        if (running.current.at(-1) === call) setState(last => ({ ...last, ...next }));
      };
      const transfer = async () => {
        const { signal, unlink } = linkSignals([bound.session.getIdentitySignal(), call.signal, given]);
        running.current.push(call);
        show({ ...IDLE, isRunning: true });
        try {
          const result = await run(bound, signal, (loaded, total) => {
            onProgress?.(loaded, total);
            // A screen shows whole percents.
            const progress = total > 0 ? Math.min(1, Math.floor((100 * loaded) / total) / 100) : undefined;
            show({ progress });
          });
          show({ isRunning: false, progress: 1 });
          return result;
        } catch (error) {
          const reason = (signal.aborted ? signal.reason : error) as Error;
          show({ ...IDLE, error: reason.name === 'AbortError' ? undefined : reason });
          throw reason;
        } finally {
          running.current = running.current.filter(other => other !== call);
          unlink();
        }
      };
      const result = transfer();
      // The hook shows the error: a handler may ignore the promise.
      result.catch(() => {});
      return result;
    },
    [bound],
  );

  return { ...state, cancel, start };
}

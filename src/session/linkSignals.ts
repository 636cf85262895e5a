type Abort = (reason: unknown) => void;

interface Followers {
  readonly aborts: Set<Abort>;
  readonly stop: () => void;
}

/** One listener for each signal, however many requests follow it: Node warns of more than ten. */
const followers = new WeakMap<AbortSignal, Followers>();
/** The controllers of requests whose bodies may still be read. */
const reading = new WeakMap<ReadableStream, AbortController>();
const whenGone = /* @__PURE__ */ new FinalizationRegistry<() => void>(stop => stop());

export interface LinkedSignal {
  /** Aborted with the first of the linked signals. */
  readonly signal: AbortSignal;
  /** The request has ended. Its body may still be aborted, for as long as something can read it. */
  unlink(body?: ReadableStream | null): void;
}

/** Not `AbortSignal.any`: Node keeps a composed signal for as long as one of its sources lives. */
export function linkSignals(signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const end = new AbortController();
  const sources = signals.filter(signal => signal !== undefined);
  const stop = followAll(sources, reason => end.abort(reason));
  return {
    signal: end.signal,
    unlink(body) {
      stop();
      if (!body || end.signal.aborted) return;
      reading.set(body, end);
      const reader = new WeakRef(end);
      whenGone.register(
        body,
        followAll(sources, reason => reader.deref()?.abort(reason)),
      );
    },
  };
}

/** Returns what ends that. */
function followAll(sources: readonly AbortSignal[], abort: Abort): () => void {
  const stops = sources.map(source => follow(source, abort));
  return () => stops.forEach(stop => stop());
}

function follow(source: AbortSignal, abort: Abort): () => void {
  if (source.aborted) abort(source.reason);
  const known = followers.get(source) ?? listen(source);
  known.aborts.add(abort);
  return () => {
    known.aborts.delete(abort);
    if (known.aborts.size === 0) known.stop();
  };
}

function listen(source: AbortSignal): Followers {
  const aborts = new Set<Abort>();
  const onAbort = () => aborts.forEach(abort => abort(source.reason));
  source.addEventListener('abort', onAbort, { once: true });
  const stop = () => {
    source.removeEventListener('abort', onAbort);
    if (followers.get(source) === own) followers.delete(source);
  };
  const own = { aborts, stop };
  followers.set(source, own);
  return own;
}

/** Where frames come from: a `WebSocket`, an `EventSource`, or the result of `eventStream()`. */
export interface LiveSource {
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: any) => void): void;
  close(): void;
  /** Shown to observers, without its query. */
  readonly url?: string;
  readonly readyState?: number;
}

/** How a source was closed: a `CloseEvent` of a `WebSocket`, or the code 1006 for what just stopped. */
export interface LiveClose {
  readonly code: number;
  readonly reason: string;
}

const OPEN = 1;
const CLOSED = 3;
const LOST: LiveClose = { code: 1006, reason: '' };

/** What a connection tells, each until it is closed. */
interface ConnectionEvents {
  onOpen(): void;
  onFrame(event: never): void;
  onClose(close: LiveClose | undefined): void;
}

/** One source from its connect to its close. */
export class Connection {
  readonly source: LiveSource;
  /** Resolves when frames may come, or never will. */
  readonly settled: Promise<void>;
  readonly closed: Promise<LiveClose>;
  #isOver = false;
  #finish!: (close: LiveClose, isOwn?: boolean) => void;

  constructor(source: LiveSource, { onOpen, onFrame, onClose }: ConnectionEvents) {
    this.source = source;
    let settle!: () => void;
    this.settled = new Promise(resolve => (settle = resolve));
    this.closed = new Promise(resolve => {
      this.#finish = (close, isOwn) => {
        if (this.#isOver) return;
        this.#isOver = true;
        source.close();
        onClose(isOwn ? undefined : close);
        settle();
        resolve(close);
      };
    });
    const open = () => {
      if (this.#isOver) return;
      onOpen();
      settle();
    };
    source.addEventListener('open', open);
    source.addEventListener('message', event => this.#isOver || onFrame(event as never));
    source.addEventListener('close', ({ code = LOST.code, reason = '' }: Partial<LiveClose>) =>
      this.#finish({ code, reason }),
    );
    // An EventSource would connect again by itself, as whoever is signed in then.
    source.addEventListener('error', () => this.#finish(LOST));
    if (source.readyState === OPEN) open();
    if (source.readyState === CLOSED) this.#finish(LOST);
  }

  close(): void {
    this.#finish(LOST, true);
  }
}

/** Lets the answers that are held go: `arrived` as they were, `lost` as network errors. */
export type Release = (how?: 'arrived' | 'lost') => void;

/** A place where answers wait for a promise, never for a timer. */
export interface Gate {
  /** Holds every answer that comes to the gate from now on; a second hold joins the first. */
  hold(): Release;
  /** Waits while the gate is held, then tells whether the answer arrives. */
  pass(): Promise<'arrived' | 'lost'>;
  /** How many answers wait now. */
  readonly held: number;
  /** Opens the gate and loses whatever waits at it. */
  reset(): void;
}

/** Makes one gate, open at first. */
export function createGate(): Gate {
  let current: { promise: Promise<'arrived' | 'lost'>; release: Release } | undefined;
  let held = 0;

  return {
    hold() {
      if (current) return current.release;
      let settle!: (how: 'arrived' | 'lost') => void;
      const promise = new Promise<'arrived' | 'lost'>(resolve => (settle = resolve));
      const mine = {
        promise,
        release: (how: 'arrived' | 'lost' = 'arrived') => {
          if (current === mine) current = undefined;
          settle(how);
        },
      };
      current = mine;
      return mine.release;
    },
    async pass() {
      if (!current) return 'arrived';
      held += 1;
      const how = await current.promise;
      held -= 1;
      return how;
    },
    get held() {
      return held;
    },
    reset() {
      current?.release('lost');
    },
  };
}

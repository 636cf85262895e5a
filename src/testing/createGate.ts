/** Releases the held answers: `arrived` delivers them unchanged, `lost` turns them into network errors. @default 'arrived' */
export type Release = (how?: 'arrived' | 'lost') => void;

/** A gate at which answers wait for a promise, never for a timer. */
export interface Gate {
  /** Holds every answer that reaches the gate from now on. A second call returns the same release function. */
  hold(): Release;
  /** Waits while the gate holds answers. Resolves with the fate of the answer. */
  pass(): Promise<'arrived' | 'lost'>;
  /** The number of answers that wait now. */
  readonly held: number;
  /** Opens the gate. The waiting answers become network errors. */
  reset(): void;
}

/** Creates an open gate. */
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

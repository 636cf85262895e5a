/** Releases the held answers: `arrived` delivers them unchanged, `lost` turns them into network errors. */
export interface Release {
  /** @default 'arrived' */
  (how?: 'arrived' | 'lost'): void;
  /** Resolves when the first answer waits. Stays pending when none does. */
  readonly reached: Promise<void>;
}

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

/**
 * Creates an open gate, for the answers of a handler of your own.
 *
 * @example
 * const gate = createGate();
 * msw.use(http.get('/api/report', async () => {
 *   await gate.pass();
 *   return HttpResponse.json({ rows: [] });
 * }));
 * const release = gate.hold();
 * await userEvent.click(canvas.getByText('Load'));
 * await release.reached;
 * release();
 */
export function createGate(): Gate {
  let current: { fate: Promise<'arrived' | 'lost'>; reach: () => void; release: Release } | undefined;
  let held = 0;

  return {
    hold() {
      if (current) return current.release;
      let settle!: (how: 'arrived' | 'lost') => void;
      let reach!: () => void;
      const fate = new Promise<'arrived' | 'lost'>(resolve => (settle = resolve));
      const reached = new Promise<void>(resolve => (reach = resolve));
      const open = (how: 'arrived' | 'lost' = 'arrived') => {
        if (current?.release === release) current = undefined;
        settle(how);
      };
      const release: Release = Object.assign(open, { reached });
      current = { fate, reach, release };
      return release;
    },
    async pass() {
      if (!current) return 'arrived';
      held += 1;
      current.reach();
      const how = await current.fate;
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

/** Holds a server back where a test asks for it. */
export function createGate() {
  let held: { arrive: () => void; released: Promise<void> } | undefined;
  return {
    /** Passed by what may be held. */
    async pass(): Promise<void> {
      held?.arrive();
      await held?.released;
    },
    /** From now on everything is held. */
    hold() {
      let arrive!: () => void;
      let release!: () => void;
      const arrived = new Promise<void>(resolve => (arrive = resolve));
      held = { arrive, released: new Promise<void>(resolve => (release = resolve)) };
      return {
        /** Resolves when something is being held. */
        arrived,
        release: () => {
          held = undefined;
          release();
        },
      };
    },
  };
}

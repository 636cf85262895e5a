/**
 * What two or more holders do with one lock, a line for each: `a shared`, `b exclusive signal`, `c steal`, `d exclusive ifAvailable`,
 * `a lets go`, `b aborts`, `query`.
 */
export type LockScript = readonly string[];

export type Locks = Pick<LockManager, 'request' | 'query'>;

/** Runs a script, and says what happened after each line; the order of the callbacks of one moment is left out. It names nothing outside of itself, so that it can be sent to a browser's page. */
export async function runLockScript(locks: Locks, script: LockScript, name: string): Promise<string[]> {
  const steps: string[] = [];
  let log: string[] = [];
  const holders = new Map<string, { letGo: () => void; abort: () => void }>();
  const names = ({ held, pending }: LockManagerSnapshot) =>
    [held, pending].map(list => list!.filter(lock => lock.name === name).map(({ mode }) => mode));
  for (const line of script) {
    const [who, ...words] = line.split(' ') as [string, ...string[]];
    if (who === 'query')
      log.push(
        names(await locks.query())
          .map(modes => modes.join(' '))
          .join(' | '),
      );
    else if (words[0] === 'lets') holders.get(who)?.letGo();
    else if (words[0] === 'aborts') holders.get(who)?.abort();
    else {
      const controller = new AbortController();
      let letGo = () => {};
      const isLetGo = new Promise<void>(resolve => (letGo = resolve));
      holders.set(who, { letGo, abort: () => controller.abort(new DOMException('', 'TimeoutError')) });
      const options = {
        mode: words.includes('shared') ? 'shared' : 'exclusive',
        ...(words.includes('steal') && { steal: true }),
        ...(words.includes('ifAvailable') && { ifAvailable: true }),
        ...(words.includes('signal') && { signal: controller.signal }),
      } as const;
      locks
        .request(name, options, lock => {
          log.push(`${who} has ${lock ? lock.mode : 'nothing'}`);
          return lock ? isLetGo : undefined;
        })
        .then(
          () => log.push(`${who} is done`),
          (error: Error) => log.push(`${who} rejects: ${error.name}`),
        );
    }
    // An answer to a query has all before it behind it, also in a browser that is busy.
    await locks.query();
    await new Promise(resolve => setTimeout(resolve, 15));
    steps.push(log.sort().join(', '));
    log = [];
  }
  for (const { letGo } of holders.values()) letGo();
  return steps;
}

import { onTestFinished, vi } from 'vitest';

/** What is reported as uncaught until the test ends, and the sentences in the console. */
export function catchErrors() {
  const thrown: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', error => thrown.push(error));
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    others.forEach(listener => process.on('uncaughtException', listener));
    log.mockRestore();
  });
  return { thrown, sentences: () => log.mock.calls.map(([sentence]) => sentence as string) };
}

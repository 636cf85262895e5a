import { spyOn } from 'storybook/test';

/** Records the calls of `console.error` during a story, and prints none. Call it in `beforeEach`, and return `stop`. */
export function recordConsoleErrors() {
  const written = spyOn(console, 'error').mockImplementation(() => {});
  return {
    /** The texts of the kit, without those of data-client and React. */
    ofKit: () => written.mock.calls.map(([text]) => String(text)).filter(text => text.startsWith('data-client-auth:')),
    stop: () => written.mockRestore(),
  };
}

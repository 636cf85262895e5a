import { spyOn } from 'storybook/test';

/** Records what goes to `console.error` during a story, instead of writing it. Call it in `beforeEach`, and return `stop`. */
export function recordConsoleErrors() {
  const written = spyOn(console, 'error').mockImplementation(() => {});
  return {
    /** What the kit has written, without data-client's and React's own texts. */
    ofKit: () => written.mock.calls.map(([text]) => String(text)).filter(text => text.startsWith('data-client-auth:')),
    stop: () => written.mockRestore(),
  };
}

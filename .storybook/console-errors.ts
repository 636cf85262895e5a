// Records the messages of `console.error`, so that a story can fail on them.

let errors: string[] = [];
const write = console.error.bind(console);

console.error = (...parts: unknown[]) => {
  errors.push(parts.map(print).join(' '));
  write(...parts);
};

/** The errors since the last call, without the expected ones. */
export function takeConsoleErrors(expected: RegExp[] = []): string[] {
  const taken = errors.filter(line => !expected.some(pattern => pattern.test(line)) && !isDevelopmentNoise(line));
  errors = [];
  return taken;
}

function print(part: unknown): string {
  return part instanceof Error ? `${part.name}: ${part.message}` : String(part);
}

/**
 * React 18 adds these in `storybook dev` only: a warning for the defaultProps of CacheProvider 0.10, a note beside each error that a
 * boundary has caught, and a hint beside the error of a hook that was called outside of a render.
 */
const DEVELOPMENT_NOISE =
  /Support for defaultProps will be removed|^The above error occurred in |^Warning: Invalid hook call\./;

function isDevelopmentNoise(line: string): boolean {
  return import.meta.env.DEV && DEVELOPMENT_NOISE.test(line);
}

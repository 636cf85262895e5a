// Keeps what is written to `console.error`, so that a story can fail on it.

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

/** React 18 warns on `storybook dev` only that CacheProvider of 0.10 has defaultProps. */
function isDevelopmentNoise(line: string): boolean {
  return import.meta.env.DEV && line.includes('Support for defaultProps will be removed');
}

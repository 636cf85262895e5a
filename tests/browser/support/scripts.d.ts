declare module '*/serve.mjs' {
  export function serve(folder: string): Promise<{ url: string; close: () => Promise<void> }>;
}

declare module '*/chromium.mjs' {
  import type { LaunchOptions } from 'playwright';
  export function findChromium(options?: { full?: boolean }): string | undefined;
  export function chromiumOptions(more?: readonly string[]): LaunchOptions;
}

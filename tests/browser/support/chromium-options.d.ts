declare module '*/chromium-options.mjs' {
  import type { LaunchOptions } from 'playwright';
  export function chromiumOptions(more?: readonly string[]): LaunchOptions;
}

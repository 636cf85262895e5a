declare module '*/chromium-options.mjs' {
  import type { LaunchOptions } from 'playwright';
  export function chromiumOptions(more?: readonly string[]): LaunchOptions;
}

declare module '*/ensure-full-chromium.mjs' {
  export function ensureFullChromium(): string;
}

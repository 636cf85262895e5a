declare module '*/story-runner.mjs' {
  export function buildStorybook(): Promise<{ ok: boolean; output: string }>;
}

declare module '*/story-runner.mjs' {
  interface StorybookBuild {
    readonly folder: string;
    readonly options: readonly string[];
  }
  export const FULL_BUILD: StorybookBuild;
  export function buildStorybook(build: StorybookBuild): Promise<{ ok: boolean; output: string }>;
}

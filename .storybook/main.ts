// Where the stories are, and which addons Storybook loads.
import { fileURLToPath } from 'node:url';
import type { StorybookConfig } from '@storybook/react-vite';
import remarkGfm from 'remark-gfm';
import { fileNames } from './file-names.js';
import { referenceModule } from './reference.js';

export default {
  framework: '@storybook/react-vite',
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.@(ts|tsx)'],
  addons: [
    // Tables in MDX are GitHub's addition to Markdown.
    {
      name: '@storybook/addon-docs',
      options: { mdxPluginOptions: { mdxCompileOptions: { remarkPlugins: [remarkGfm, fileNames] } } },
    },
    '@storybook/addon-a11y',
  ],
  // The requests panel, from its source, as in manager.ts. A consumer app adds 'data-client-auth/storybook' to `addons` instead.
  previewAnnotations: (entries = []) => [
    ...entries,
    fileURLToPath(new URL('../src/storybook/preview.ts', import.meta.url)),
  ],
  viteFinal: config => ({ ...config, plugins: [...(config.plugins ?? []), referenceModule()] }),
  staticDirs: ['../public'],
  typescript: { reactDocgen: 'react-docgen' },
  core: { disableTelemetry: true },
  // The sidebar and its search show what a reader looks for; the filter beside the search shows the proofs, too.
  tags: { proof: { defaultFilterSelection: 'exclude' } },
  features: {
    // The sidebar is for readers of these docs, not for newcomers to Storybook.
    sidebarOnboardingChecklist: false,
    // “Show code” prints the JSX of an example, read from its file; a frame cannot report what it renders to the page around it.
    experimentalCodeExamples: true,
    // The search finds the headings of pages: those of “How do I …?” are the words that people type.
    experimentalSearchDocsHeadings: true,
  },
} satisfies StorybookConfig;

// Where the stories are and what Storybook loads; nothing here knows the kit.
import type { StorybookConfig } from '@storybook/react-vite';
import remarkGfm from 'remark-gfm';

export default {
  framework: '@storybook/react-vite',
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.@(ts|tsx)'],
  addons: [
    // Tables in MDX are GitHub's addition to Markdown.
    { name: '@storybook/addon-docs', options: { mdxPluginOptions: { mdxCompileOptions: { remarkPlugins: [remarkGfm] } } } },
    '@storybook/addon-a11y',
  ],
  staticDirs: ['../public'],
  typescript: { reactDocgen: 'react-docgen' },
  core: { disableTelemetry: true },
  // The sidebar is for readers of these docs, not for newcomers to Storybook.
  features: { sidebarOnboardingChecklist: false },
} satisfies StorybookConfig;

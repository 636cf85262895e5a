// Where the stories are and what Storybook loads; nothing here knows the kit.
import type { StorybookConfig } from '@storybook/react-vite';

export default {
  framework: '@storybook/react-vite',
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.@(ts|tsx)'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  staticDirs: ['../public'],
  typescript: { reactDocgen: 'react-docgen' },
  core: { disableTelemetry: true },
  // The sidebar is for readers of these docs, not for newcomers to Storybook.
  features: { sidebarOnboardingChecklist: false },
} satisfies StorybookConfig;

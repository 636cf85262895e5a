import type { StorybookConfig } from '@storybook/react-vite';

export default {
  framework: '@storybook/react-vite',
  stories: ['../src/**/*.stories.tsx'],
  addons: ['data-client-auth/storybook'],
  staticDirs: ['../public'], // has msw's worker file
} satisfies StorybookConfig;

import type { Decorator } from '@storybook/react-vite';
import type { ComponentType, ReactNode } from 'react';

/** The decorator of stories below the provider of an app. */
export const below =
  ({ Provider }: { Provider: ComponentType<{ children: ReactNode }> }): Decorator =>
  Story => (
    <Provider>
      <Story />
    </Provider>
  );

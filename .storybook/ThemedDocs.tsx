import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks';
import { useSyncExternalStore, type PropsWithChildren } from 'react';
import { themes } from 'storybook/theming';
import { shownTheme, subscribeToTheme } from './theme.js';

/** A page of the docs in the theme that is chosen. */
export function ThemedDocs(props: PropsWithChildren<DocsContainerProps>) {
  const theme = useSyncExternalStore(subscribeToTheme, shownTheme);
  return <DocsContainer {...props} theme={themes[theme]} />;
}

import { lazy, Suspense, useSyncExternalStore, type PropsWithChildren } from 'react';
import type { DocsContainerProps } from '@storybook/addon-docs/blocks';
import { shownTheme, subscribeToTheme } from './theme.js';

/** Loaded with the first docs page only: stories do not need it. */
const Container = lazy(async () => {
  const [{ DocsContainer }, { themes }] = await Promise.all([
    import('@storybook/addon-docs/blocks'),
    import('storybook/theming'),
  ]);
  return {
    default: ({
      theme,
      ...props
    }: PropsWithChildren<Omit<DocsContainerProps, 'theme'> & { theme: keyof typeof themes }>) => (
      <DocsContainer {...props} theme={themes[theme]} />
    ),
  };
});

/** A docs page in the theme that the reader has chosen. */
export function ThemedDocs(props: PropsWithChildren<DocsContainerProps>) {
  const theme = useSyncExternalStore(subscribeToTheme, shownTheme);
  return (
    <Suspense>
      <Container {...props} theme={theme} />
    </Suspense>
  );
}

/** Storybook's own page, with each example once: its list begins after the first one. */
const Page = lazy(async () => {
  const { Controls, Description, Primary, Stories, Subtitle, Title } = await import('@storybook/addon-docs/blocks');
  return {
    default: () => (
      <>
        <Title />
        <Subtitle />
        <Description of="meta" />
        <Primary />
        <Controls />
        <Stories includePrimary={false} />
      </>
    ),
  };
});

/** The docs page of a component. */
export function DocsPage() {
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}

import { lazy, Suspense, useContext, useSyncExternalStore, type CSSProperties, type PropsWithChildren } from 'react';
import type { DocsContainerProps } from '@storybook/addon-docs/blocks';
import './page.css';
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
      <div style={{ display: 'contents', '--page': themes[theme].appContentBg } as CSSProperties}>
        <DocsContainer {...props} theme={themes[theme]} />
      </div>
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

/** Storybook's own page shows the first example twice, and the table of props, with controls, between the two. */
const Page = lazy(async () => {
  const { ArgTypes, Description, DocsContext, DocsStory, Stories, Subtitle, Title } =
    await import('@storybook/addon-docs/blocks');
  function ComponentPage() {
    const [first] = useContext(DocsContext).componentStories();
    return (
      <>
        <Title />
        <Subtitle />
        <Description of="meta" />
        {first && <DocsStory of={first.moduleExport as object} withToolbar />}
        <Stories title="" includePrimary={false} />
        <h2 id="props">Props</h2>
        <ArgTypes />
      </>
    );
  }
  return { default: ComponentPage };
});

/** The docs page of a component. */
export function DocsPage() {
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}

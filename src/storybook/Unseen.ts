import { styled } from 'storybook/theming';

/** Visually hidden text for screen readers. */
export const Unseen = styled.div({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});

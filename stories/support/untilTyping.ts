import type { StoryContext } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';

/** Waits for Ada's articles, and types into the field of `setupClockApp`. Returns the field. */
export async function untilTyping(canvas: StoryContext['canvas']): Promise<HTMLElement> {
  await canvas.findByText('On signing in');
  const field = canvas.getByLabelText('Notes');
  await userEvent.type(field, 'Half a sent');
  await expect(field).toHaveFocus();
  return field;
}

import type { StoryContext } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';

/** Ada's articles are there, and she types into the field of `setupClockApp`. */
export async function untilTyping(canvas: StoryContext['canvas']): Promise<HTMLElement> {
  await canvas.findByText('On signing in');
  const field = canvas.getByLabelText('Notes');
  await userEvent.type(field, 'Half a sent');
  await expect(field).toHaveFocus();
  return field;
}

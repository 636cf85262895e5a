// The promise of a proof, above its canvas.
import type { StoryContext } from '@storybook/react-vite';
import './promise.css';

const CLASS = 'promise';

/**
 * Shows the docstring of a proof above its canvas. It is outside the story's root, where no play sees it. A build for tests has no
 * docstrings.
 */
export function showPromise({ tags, parameters }: StoryContext): void {
  document.querySelector(`.${CLASS}`)?.remove();
  const { docs } = parameters as { docs?: { description?: { story?: string; component?: string } } };
  const text = docs?.description?.story ?? docs?.description?.component;
  if (!tags.includes('proof') || !text) return;
  const promise = document.createElement('p');
  promise.className = CLASS;
  promise.textContent = `Proof: ${text.replaceAll('`', '')}`;
  document.body.prepend(promise);
}

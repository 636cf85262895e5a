import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Renders into an element of its own at the end of the page. */
export function mount(content: ReactNode): { element: HTMLElement; unmount: () => void } {
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  root.render(content);
  return {
    element,
    unmount: () => {
      root.unmount();
      element.remove();
    },
  };
}

/** Waits until the element shows what is asked for, which is looked at after each change. */
export function until(element: HTMLElement, isShown: () => boolean): Promise<void> {
  return new Promise(done => {
    if (isShown()) return done();
    const observer = new MutationObserver(() => {
      if (!isShown()) return;
      observer.disconnect();
      done();
    });
    observer.observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

/** Waits until all that is due has been rendered and painted. */
export async function painted(): Promise<void> {
  for (let frames = 0; frames < 2; frames++) await new Promise(done => requestAnimationFrame(done));
  await new Promise(done => setTimeout(done));
}

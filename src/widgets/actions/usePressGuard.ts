import { useRef, type KeyboardEvent, type MouseEvent, type SyntheticEvent } from 'react';

/** Event handlers for the element around a widget. */
export interface PressGuard {
  readonly onClickCapture: (event: MouseEvent) => void;
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
}

const CONTROL = 'a, button, input, select, textarea, [role="button"]';

/**
 * Ignores the second press of a double click, and an Enter that repeats because the key is held, if the first press was on another control.
 *
 * A press may put another control under the pointer or give it the focus: the button of the next row, or “Undo”. The user has not seen it
 * when the second press comes. The browser counts presses at one place only.
 */
export function usePressGuard(): PressGuard {
  const pressed = useRef<Element | null>(null);
  const check = (event: SyntheticEvent, isRepeated: boolean) => {
    const control = (event.target as Element).closest(CONTROL);
    if (!isRepeated) pressed.current = control;
    else if (control && control !== pressed.current) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return {
    onClickCapture: event => check(event, event.detail > 1),
    onKeyDownCapture: event => event.key === 'Enter' && check(event, event.repeat),
  };
}

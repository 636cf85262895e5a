import type { HTMLAttributes, MouseEvent, ReactNode } from 'react';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';

export interface RowActionsProps {
  /** Two or more buttons or links. They are in the document once, whether they are shown in the row or in the menu. */
  children: ReactNode;
  /** The name of the row, a part of the name of the button that opens the menu. @default no name */
  itemLabel?: string | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<Pick<WidgetLabels, 'moreActions'>> | undefined;
}

/**
 * The actions of a row: buttons at its end and, where the row is too narrow for them, a button that opens a menu with
 * them. CSS decides, so a row renders nothing when its width changes: two actions need a row of 24rem, more than two one
 * of 32rem, and a single one is never in the menu. Without the stylesheet they are always in the menu.
 *
 * The menu is the browser's popover: Tab goes from its button into it, Escape and a press elsewhere close it, and so does
 * a press on an action. The focus then returns to the button. A button with `aria-disabled` leaves it open.
 *
 * @example
 * renderItem={(article, { remove, pending }) => (
 *   <>
 *     <span>{article.title}</span>
 *     <RowActions itemLabel={article.title}>
 *       <a href={`/articles/${article.id}/edit`}>Edit</a>
 *       <button type="button" disabled={pending} onClick={() => void remove()}>Delete</button>
 *     </RowActions>
 *   </>
 * )}
 * @see https://developer.mozilla.org/docs/Web/API/Popover_API
 */
export function RowActions({ children, itemLabel, labels }: RowActionsProps): ReactNode {
  const { moreActions } = useWidgetLabels(labels);
  return (
    <div className="dca-actions dca-menu">
      {/* A text and no element: after a press on an element in it, Tab skips the menu in WebKit. */}
      <button
        type="button"
        className="dca-button dca-menu-button"
        aria-label={moreActions(itemLabel)}
        ref={openMenu}
        onClick={focusButton}
      >
        ⋯
      </button>
      <div className="dca-menu-items" onClick={closeAfterAction} {...POPOVER}>
        {children}
      </div>
    </div>
  );
}

/** React 18 has no type for the attribute. */
const POPOVER = { popover: 'auto' } as HTMLAttributes<HTMLElement>;

/** Connects the button with the menu behind it. By the property: React 18 and 19 spell the attribute differently. */
function openMenu(button: HTMLButtonElement | null): void {
  const menu = button?.nextElementSibling;
  if (button && menu) button.popoverTargetElement = menu;
}

/** Safari on a Mac does not focus a button that is pressed, and the menu returns the focus to where it was. */
function focusButton({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.focus();
}

function closeAfterAction({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  const action = (target as Element).closest('button, a');
  if (action && action.getAttribute('aria-disabled') !== 'true') currentTarget.hidePopover?.();
}

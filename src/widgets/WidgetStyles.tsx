import type { ReactNode } from 'react';

/** Every rule stands in `:where()`, so that any rule of the app wins over it. */
const css = `
:where(.dca-list, .dca-detail, .dca-form, .dca-login) { font: var(--dca-font, inherit); color: var(--dca-color, inherit); max-width: var(--dca-width, 40rem); }
:where(.dca-items) { list-style: none; margin: 0; padding: 0; }
:where(.dca-item) { padding: var(--dca-gap, .75rem) 0; border-block-end: 1px solid var(--dca-line, #d0d5dd); }
:where(.dca-form, .dca-login) { display: grid; gap: var(--dca-gap, .75rem); justify-items: start; margin-block: var(--dca-gap, .75rem); }
:where(.dca-field) { display: grid; gap: .25rem; margin: 0; width: 100%; }
:where(.dca-input, .dca-button) { font: inherit; padding: .375rem .75rem; border: 1px solid var(--dca-border, #667085); border-radius: var(--dca-radius, .375rem); }
:where(.dca-button) { cursor: pointer; background: var(--dca-button, #1d4ed8); color: var(--dca-button-text, #fff); border-color: transparent; }
:where(.dca-button[aria-disabled='true']) { cursor: progress; background: var(--dca-button-busy, #475467); }
:where(.dca-error, .dca-item-error, .dca-form-error, .dca-more) :where([role='alert']), :where(.dca-form-error) { color: var(--dca-danger, #b42318); }
:where(.dca-note, .dca-loading, .dca-empty) { color: var(--dca-muted, #475467); }
:where(.dca-list, .dca-detail, .dca-item, .dca-note):focus { outline-offset: 2px; }
`;

/**
 * A plain look for the widgets, for those who want one: without it they have none. Put it anywhere on the page, once; set the CSS
 * variables `--dca-font`, `--dca-color`, `--dca-width`, `--dca-gap`, `--dca-line`, `--dca-border`, `--dca-radius`, `--dca-button`,
 * `--dca-button-text`, `--dca-button-busy`, `--dca-danger` and `--dca-muted` to change it.
 *
 * @example
 * <WidgetStyles />
 */
export function WidgetStyles(): ReactNode {
  return <style>{css}</style>;
}

// Screen readers announce a text reliably only if its status region was in the document, empty, before the text came. So each widget with
// data has one region from its first render, and the texts that it shows have no role.
import { useState, type ReactNode } from 'react';
import { callUserCallback } from '../../notifyListeners.js';
import type { WidgetLabels } from '../labels/englishLabels.js';

/** The delay before a text is written, as in React Aria: Safari misses a text that comes right after its region. Texts of one delay are announced together. */
const ANNOUNCE_DELAY_MS = 100;
/** Then the text is removed: a user who reads through the page does not find it beside the visible one. */
const CLEAR_DELAY_MS = 7_000;

/** Writes the announcements of a list or a record into its status region. */
export class WidgetStatus {
  #region: HTMLElement | null = null;
  #writing: ReturnType<typeof setTimeout> | undefined;
  #clearing: ReturnType<typeof setTimeout> | undefined;
  /** The texts that the next write joins: about changes of the user, and about the content. */
  #change = '';
  #content = '';
  /** The content that arrived last. */
  #arrived: { readonly name: string; readonly arrivals: number } | undefined;
  /** The last text about content that is still awaited; empty for an error. */
  #progress: string | undefined;

  /** The ref of the region. */
  readonly attach = (region: HTMLElement | null): void => {
    this.#region = region;
    if (region) Object.assign(region.style, OUT_OF_SIGHT);
    // A widget that was hidden for a while must not show the text of before.
    this.#setText('');
  };

  /** Announces what the user has changed. */
  readonly announceChange = (text: string): void => {
    this.#change = [this.#change, text].filter(Boolean).join(' ');
    this.#write();
  };

  /** Announces that content is loading, once until it arrives. Pass an empty text for an error, which is an alert. */
  readonly announceProgress = (text: string): void => {
    if (this.#progress === text) return;
    this.#progress = this.#content = text;
    this.#write();
  };

  /**
   * Announces rows or a record that have arrived, except the first ones if they came fast: a screen reader reads those with the page.
   *
   * @param name Names the content. The name stays when single rows come, change or go.
   * @param describe Returns the text. Called only for what is announced.
   * @param arrivals Counts how often further rows have arrived under this name. It may start again.
   */
  announceContent(name: string, describe: () => string, { isEmpty = false, arrivals = 0 } = {}): void {
    const before = this.#arrived;
    const isFirst = before === undefined;
    const isAwaited = this.#progress !== undefined;
    this.#arrived = { name, arrivals };
    if (name === before?.name && arrivals <= before.arrivals && !isAwaited) return;
    this.#progress = undefined;
    if (isFirst && !isAwaited && !isEmpty) return;
    this.#content = describe();
    this.#write();
  }

  #write(): void {
    this.#writing ??= setTimeout(() => {
      this.#writing = undefined;
      const text = [this.#change, this.#content].filter(Boolean).join(' ');
      this.#change = this.#content = '';
      if (!text) return;
      // Screen readers do not announce a text that replaces the same text.
      this.#setText(text === this.#region?.textContent ? `${text}\u00a0` : text);
      clearTimeout(this.#clearing);
      this.#clearing = setTimeout(() => this.#setText(''), CLEAR_DELAY_MS);
    }, ANNOUNCE_DELAY_MS);
  }

  #setText(text: string): void {
    if (this.#region) this.#region.textContent = text;
  }
}

/**
 * Set by hand, because an app may not use the stylesheet, and its content security policy may forbid the attribute `style` in what a server
 * has rendered. At the start of its containing block, so that it makes nothing scrollable.
 */
const OUT_OF_SIGHT = {
  position: 'absolute',
  insetBlockStart: '0',
  insetInlineStart: '0',
  inlineSize: '1px',
  blockSize: '1px',
  margin: '0',
  padding: '0',
  border: '0',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
};

interface AnnouncedOptions {
  labels: WidgetLabels;
  getItemLabel?: ((item: object) => string) | undefined;
}

/** The announcements of a widget, and a function that announces what has become of a record. */
export function useWidgetStatus({ labels, getItemLabel }: AnnouncedOptions) {
  const [status] = useState(() => new WidgetStatus());
  const announceOutcome = (outcome: 'created' | 'deleted' | 'undone', item: object | undefined) =>
    callUserCallback(() => status.announceChange(labels[outcome](item ? getItemLabel?.(item) : undefined)));
  return { status, announceOutcome };
}

/** The region of a widget. `WidgetStatus` writes its text. */
export function StatusRegion({ status }: { status: WidgetStatus }): ReactNode {
  return <div ref={status.attach} role="status" className="dca-status" />;
}

// Screen readers announce a text reliably only if its status region was in the document, empty, before the text came. So each list has one
// region from its first render, and the texts that the list shows have no role.
import type { CSSProperties, ReactNode } from 'react';

/** The delay before a text is written, as in React Aria: Safari misses a text that comes right after its region. Texts of one delay are announced together. */
const ANNOUNCE_DELAY_MS = 100;
/** Then the text is removed: a user who reads through the page does not find it beside the visible one. */
const CLEAR_DELAY_MS = 7_000;

/** Writes the announcements of a list into its status region. */
export class ListStatus {
  #region: HTMLElement | null = null;
  #writing: ReturnType<typeof setTimeout> | undefined;
  #clearing: ReturnType<typeof setTimeout> | undefined;
  /** The texts that the next write joins: about changes of the user, and about the rows. */
  #change = '';
  #rows = '';
  /** The rows that arrived last. */
  #arrived: { readonly rows: string; readonly arrivals: number } | undefined;
  /** The last text about rows that are still awaited; empty for an error. */
  #progress: string | undefined;

  /** The ref of the region. */
  readonly attach = (region: HTMLElement | null): void => {
    this.#region = region;
    // A list that was hidden for a while must not show the text of before.
    this.#setText('');
  };

  /** Announces what the user has changed. */
  readonly announceChange = (text: string): void => {
    this.#change = [this.#change, text].filter(Boolean).join(' ');
    this.#write();
  };

  /** Announces that rows are loading, once until they arrive. Pass an empty text for an error, which is an alert. */
  readonly announceProgress = (text: string): void => {
    if (this.#progress === text) return;
    this.#progress = this.#rows = text;
    this.#write();
  };

  /**
   * Announces rows that have arrived, except the first ones if they came fast: a screen reader reads those with the page.
   *
   * @param rows Names the rows. The name stays when single rows come, change or go.
   * @param arrivals Counts how often further rows have arrived under this name. It may start again.
   */
  announceRows(rows: string, text: string, { isEmpty, arrivals = 0 }: { isEmpty: boolean; arrivals?: number }): void {
    const before = this.#arrived;
    const isFirst = before === undefined;
    const isAwaited = this.#progress !== undefined;
    this.#arrived = { rows, arrivals };
    if (rows === before?.rows && arrivals <= before.arrivals && !isAwaited) return;
    this.#progress = undefined;
    if (isFirst && !isAwaited && !isEmpty) return;
    this.#rows = text;
    this.#write();
  }

  #write(): void {
    this.#writing ??= setTimeout(() => {
      this.#writing = undefined;
      const text = [this.#change, this.#rows].filter(Boolean).join(' ');
      this.#change = this.#rows = '';
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

/** Inline, because an app may not use the stylesheet. At the start of its containing block, so that it makes nothing scrollable. */
const OUT_OF_SIGHT: CSSProperties = {
  position: 'absolute',
  insetBlockStart: 0,
  insetInlineStart: 0,
  inlineSize: 1,
  blockSize: 1,
  margin: 0,
  padding: 0,
  border: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
};

/** The region of a list. `ListStatus` writes its text. */
export function StatusRegion({ status }: { status: ListStatus }): ReactNode {
  return <p ref={status.attach} role="status" className="dca-status" style={OUT_OF_SIGHT} />;
}

// Screen readers announce a text reliably only if its status region was in the document, empty, before the text came. So each list has one
// region from its first render, and the texts that the list shows have no role.
import type { CSSProperties, ReactNode } from 'react';

/** The region is at least this much older than a text, as in React Aria: Safari misses a text that comes sooner. Texts of this time are one. */
const ANNOUNCE_DELAY_MS = 100;
/** A user who reads through the page later does not meet a text that is old, or is also shown. */
const CLEAR_DELAY_MS = 7_000;

/** What a list says to screen readers. */
export class ListStatus {
  #region: HTMLElement | null = null;
  #writing: ReturnType<typeof setTimeout> | undefined;
  #clearing: ReturnType<typeof setTimeout> | undefined;
  /** Not written yet: what the user has changed, and which rows are shown now. */
  #change = '';
  #rows = '';
  /** The rows whose arrival is known. */
  #arrived: string | undefined;
  /** The last text about rows that are still awaited; empty for an error. */
  #progress: string | undefined;

  /** The ref of the region. */
  readonly attach = (region: HTMLElement | null): void => {
    this.#region = region;
  };

  /** Announces what the user has changed. */
  readonly announceChange = (text: string): void => {
    this.#change = text;
    this.#write();
  };

  /** Announces that rows are on their way: once, until they arrive. An error is an alert of its own, and its text here is empty. */
  readonly announceProgress = (text: string): void => {
    if (this.#progress === text) return;
    this.#progress = this.#rows = text;
    this.#write();
  };

  /**
   * Announces rows that have arrived. Says nothing of the first ones, if they came fast: they are read as a part of the page.
   *
   * @param rows Names the rows. The name stays when single rows come, change or go.
   */
  announceRows(rows: string, text: string, isEmpty: boolean): void {
    const isFirst = this.#arrived === undefined;
    const isAwaited = this.#progress !== undefined;
    if (rows === this.#arrived && !isAwaited) return;
    this.#arrived = rows;
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
      // The same text again would be no change.
      this.#setText(text && text === this.#region?.textContent ? `${text}\u00a0` : text);
      clearTimeout(this.#clearing);
      this.#clearing = setTimeout(() => this.#setText(''), CLEAR_DELAY_MS);
    }, ANNOUNCE_DELAY_MS);
  }

  #setText(text: string): void {
    if (this.#region) this.#region.textContent = text;
  }
}

/** Out of sight without the stylesheet, too. At the start of what it is positioned by, so that nothing scrolls further because of it. */
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

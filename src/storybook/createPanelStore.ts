import type { PanelNews, PanelRow, PanelSession, PanelSource } from './PanelNews.js';

/** The store drops the oldest rows above this number, because a polling story may be open for days. */
export const MAX_ROWS = 2000;

interface PanelState {
  readonly storyId: string | undefined;
  readonly source: PanelSource;
  readonly rows: readonly PanelRow[];
  /** The number of rows dropped because of `MAX_ROWS`. */
  readonly dropped: number;
  readonly sessions: readonly PanelSession[];
}

export interface PanelStore {
  getState(): PanelState;
  subscribe(listener: () => void): () => void;
  receive(news: PanelNews): void;
  /** Switches to another story. Drops the state of the previous story. */
  show(storyId: string): void;
  /** Removes all rows. The store ignores later changes of these rows. */
  clear(): void;
}

const EMPTY: PanelState = { storyId: undefined, source: 'journal', rows: [], dropped: 0, sessions: [] };

/** Creates the state of the panel. It is outside React, so that the panel misses no message while another panel is open. */
export function createPanelStore(): PanelStore {
  const listeners = new Set<() => void>();
  let state = EMPTY;
  let run: string | undefined;
  let next = 0;

  const set = (change: Partial<PanelState>) => {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  };

  const merge = (news: readonly PanelRow[]): Pick<PanelState, 'rows' | 'dropped'> => {
    const byId = new Map(state.rows.map(row => [row.id, row]));
    for (const row of news) {
      // Ignore changes of rows that were cleared or dropped.
      if (row.id >= next || byId.has(row.id)) byId.set(row.id, row);
      next = Math.max(next, row.id + 1);
    }
    const rows = [...byId.values()];
    const newest = rows.slice(-MAX_ROWS);
    return { rows: newest, dropped: state.dropped + rows.length - newest.length };
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    receive({ storyId, source, rows, sessions, run: newsRun }) {
      if (newsRun !== run) {
        run = newsRun;
        next = 0;
        state = EMPTY;
      }
      set({ storyId, source, sessions, ...merge(rows) });
    },
    show(storyId) {
      if (storyId !== state.storyId) set({ ...EMPTY, storyId });
    },
    clear() {
      set({ rows: [], dropped: 0 });
    },
  };
}

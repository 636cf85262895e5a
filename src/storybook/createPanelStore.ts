import type { PanelNews, PanelRow, PanelSession } from './PanelNews.js';

/** More rows than this are not kept: a story that polls may stand open for days. */
export const MAX_ROWS = 2000;

export interface PanelState {
  readonly storyId: string | undefined;
  /** False when the story's frame found nothing to listen to. */
  readonly wired: boolean;
  readonly rows: readonly PanelRow[];
  /** How many rows were let go of, since there were too many. */
  readonly dropped: number;
  readonly sessions: readonly PanelSession[];
}

export interface PanelStore {
  getState(): PanelState;
  subscribe(listener: () => void): () => void;
  hear(news: PanelNews): void;
  /** Another story is shown now; forgets what belongs to the one before. */
  show(storyId: string): void;
  /** Forgets the rows so far; their answers change nothing any more. */
  clear(): void;
}

const EMPTY: PanelState = { storyId: undefined, wired: true, rows: [], dropped: 0, sessions: [] };

/** What the panel shows. It lives beside React, so that nothing is missed while another panel is in front. */
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
      // A row that is neither new nor there was cleared, or was one too many.
      if (row.id >= next || byId.has(row.id)) byId.set(row.id, row);
      next = Math.max(next, row.id + 1);
    }
    const rows = [...byId.values()];
    const kept = rows.slice(-MAX_ROWS);
    return { rows: kept, dropped: state.dropped + rows.length - kept.length };
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hear({ storyId, wired, rows, sessions, run: newsRun }) {
      if (newsRun !== run) {
        run = newsRun;
        next = 0;
        state = EMPTY;
      }
      set({ storyId, wired, sessions, ...merge(rows) });
    },
    show(storyId) {
      if (storyId !== state.storyId) set({ ...EMPTY, storyId });
    },
    clear() {
      set({ rows: [], dropped: 0 });
    },
  };
}

import type { ToolbarTool } from './toolbarTools.js';

/** The tools of the current story, outside React, because the toolbar unmounts its tools on docs pages. */
export function createToolbarStore() {
  let tools: readonly ToolbarTool[] = [];
  const listeners = new Set<() => void>();
  return {
    getTools: () => tools,
    setTools(next: readonly ToolbarTool[]) {
      tools = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type ToolbarStore = ReturnType<typeof createToolbarStore>;

import type { ToolbarTool } from './toolbarTools.js';

/** The tools of the current story or docs page, outside React: the toolbar mounts its tools again for each of them. */
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

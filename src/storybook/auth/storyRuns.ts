// The runs of the stories on this page. When the reader chooses another user, mechanism or network, starts a story again.
import { FORCE_REMOUNT, GLOBALS_UPDATED, STORY_RENDER_PHASE_CHANGED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';
import type { StoryRun } from './StoryRun.js';

const runs = new Map<string, StoryRun>();
const outdated = new Set<StoryRun>();

export const runOf = (storyId: string): StoryRun | undefined => runs.get(storyId);

export function addRun(run: StoryRun): void {
  runs.set(run.id, run);
}

export function removeRun(run: StoryRun): void {
  outdated.delete(run);
  if (runs.get(run.id) === run) runs.delete(run.id);
}

void addons.ready().then(channel => {
  const restart = (run: StoryRun) => {
    if (run.isUnderWay || !outdated.delete(run)) return;
    channel.emit(FORCE_REMOUNT, { storyId: run.id });
  };
  // Storybook also sends the event with the globals of the next story, before that starts: only the reader's own choices count.
  channel.on(GLOBALS_UPDATED, ({ userGlobals = {} }: { userGlobals?: Record<string, unknown> }) => {
    for (const run of runs.values()) {
      if (run.isOutdated(userGlobals)) outdated.add(run);
      else outdated.delete(run);
      restart(run);
    }
  });
  // Storybook reloads the page when a story is restarted before it has finished.
  channel.on(STORY_RENDER_PHASE_CHANGED, ({ newPhase, storyId }: { newPhase: string; storyId: string }) => {
    const run = runs.get(storyId);
    if (!run) return;
    run.isUnderWay = !['finished', 'aborted', 'errored'].includes(newPhase);
    restart(run);
  });
});

// Frames of one docs page share cookies, storage and service worker, so their stories start one after the other.
import { STORY_FINISHED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

const LOCK = 'data-client-auth: a story is starting';

/** After this time the next story starts, even if this one has not finished, for example in a debugger. */
const LONGEST_TURN_MS = 10_000;

let end = () => {};

/** Waits until no other frame's story is starting; the turn ends when this story has finished, or was left. */
export async function takeTurn(left: AbortSignal): Promise<void> {
  end();
  await new Promise<void>(taken => {
    navigator.locks
      .request(LOCK, { signal: left }, () => {
        taken();
        return new Promise<void>(ended => {
          end = ended;
          setTimeout(ended, LONGEST_TURN_MS);
        });
      })
      .catch(() => taken());
  });
  left.addEventListener('abort', () => end(), { once: true });
}

void addons.ready().then(channel => channel.on(STORY_FINISHED, () => end()));

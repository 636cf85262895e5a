import type { BrowserContext, Page } from 'playwright';

/** What a page notes of itself, from before its first script on. */
export interface Probe {
  /** Addresses that it listens at for other tabs. */
  addresses: string[];
  /** What it told other tabs by messages, as JSON. */
  told: string[];
  /** When news from other tabs reached it, in milliseconds of its own clock. */
  heardAt: number[];
  /** The text on the page after each change, and when. */
  shown: { at: number; text: string }[];
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** What another tab writes into the shared storage is news, too. */
function watchStorage() {
  addEventListener('storage', () => window.probe.heardAt.push(performance.now()));
}

function watchChannels() {
  const Native = BroadcastChannel;
  window.BroadcastChannel = class extends Native {
    constructor(name: string) {
      super(name);
      window.probe.addresses.push(name);
      this.addEventListener('message', () => window.probe.heardAt.push(performance.now()));
    }
    override postMessage(message: unknown) {
      window.probe.told.push(JSON.stringify(message));
      super.postMessage(message);
    }
  };
}

function watchText() {
  window.probe = { addresses: [], told: [], heardAt: [], shown: [] };
  const note = () => window.probe.shown.push({ at: performance.now(), text: document.body?.textContent ?? '' });
  new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
}

function takeAway() {
  Reflect.deleteProperty(window, 'BroadcastChannel');
  Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
}

/** What tabs share: `present` is Web Locks and BroadcastChannel, `absent` neither, as on old browsers. */
export type Sharing = 'present' | 'absent';

/** Puts a probe on every page of the context that is opened from now on. */
export async function probe(context: BrowserContext, sharing: Sharing): Promise<void> {
  await context.addInitScript(watchText);
  if (sharing === 'absent') await context.addInitScript(takeAway);
  await context.addInitScript(watchStorage);
  if (sharing === 'present') await context.addInitScript(watchChannels);
}

/** What the page noted since it was opened, or since `forget`. */
export const noted = (page: Page): Promise<Probe> => page.evaluate(() => window.probe);

/** Begins a new page of notes; the addresses stay. */
export const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(window.probe, { told: [], heardAt: [], shown: [] });
  });

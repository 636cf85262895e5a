import { callThrough, type Call } from './callThrough.js';
import type { App } from './createApp.js';

declare global {
  interface Window {
    /** What a test may ask of the app on the page. */
    app: PageApp;
    /** Mounts the app, on a page that waits to be asked. */
    mount: () => { unmount: () => void; dispose: () => void };
  }
}

export interface PageApp {
  call(call: Call): Promise<string>;
  /** All that an app might serialize of the kit: the store, the session, its snapshot. */
  serialized(): string;
}

/** Makes the app reachable for the test. */
export function install(app: App): void {
  window.app = {
    call: call => (app.session ? callThrough(app.session, call) : Promise.reject(new Error('The provider of this app makes its own session.'))),
    serialized: () => JSON.stringify([app.state(), app.session, app.session?.getSnapshot()]),
  };
}

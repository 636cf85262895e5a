import { callThrough, readThrough, type Call } from './callThrough.js';
import type { Session, SessionFetch } from '../../../src/index.js';
import { callScreen } from './callScreen.js';
import { tokenSession, type App } from './createApp.js';

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
  read(call: Call): Promise<string>;
  /** Calls one of the session's own functions; resolves with `done`, or with the name of its error. */
  auth(name: 'login' | 'logout' | 'refresh', ...args: unknown[]): Promise<string>;
  /** `session.fetch`. */
  fetch: SessionFetch;
  /** Captures what a handler of the screen of now could call. */
  capture(): void;
  /** Calls all of it, and says what has become of each call in the very next task. */
  callCaptured(): Promise<Record<string, string>>;
  /** The sessions that share these storage keys with other pages, all of them listening; the same ones at each call. */
  sessions(storageKeys: readonly string[]): Session<{ id: string }, [{ username: string }]>[];
  /** The state of each `popstate` that a router of the tree has got. */
  popstates(): unknown[];
  /** How often the screen has rendered who is signed in, or a row. */
  renders(): number;
  /** All that an app might serialize of the kit: the store, the session, its snapshot. */
  serialized(): string;
}

/** Makes the app reachable for the test. */
export function install(app: App): void {
  const session = () => {
    if (!app.session) throw new Error('The provider of this app makes its own session.');
    return app.session;
  };
  let captured = app.screen;
  const sessions = new Map<string, Session<any, any>>();
  const sessionOf = (storageKey: string) => {
    const made = sessions.get(storageKey) ?? tokenSession(new URLSearchParams(), { storageKey });
    if (!sessions.has(storageKey)) made.subscribe(() => {});
    sessions.set(storageKey, made);
    return made;
  };
  window.app = {
    sessions: keys => keys.map(sessionOf),
    call: async call => callThrough(session(), call),
    read: async call => readThrough(session(), call),
    auth: async (name, ...args) => {
      const call = session()[name] as (...args: unknown[]) => Promise<unknown>;
      return call(...args).then(
        () => 'done',
        (error: Error) => error.name,
      );
    },
    fetch: (...args) => session().fetch(...args),
    capture: () => void (captured = app.screen),
    callCaptured: async () => callScreen(captured!),
    popstates: () => app.popstates,
    renders: () => app.renders,
    serialized: () => JSON.stringify([app.state(), app.session, app.session?.getSnapshot()]),
  };
}

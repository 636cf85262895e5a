import { hydrateRoot } from 'react-dom/client';
import { App, makeSession, type User } from './App.js';

declare global {
  interface Window {
    /** The user that the server knew; undefined where it did not say. */
    initialUser: User | null | undefined;
    /** The state of the store that is mounted now, as JSON. */
    storeState: () => string;
  }
}

hydrateRoot(
  document.getElementById('root') as HTMLElement,
  <App
    session={makeSession(window.initialUser, false)}
    onState={read => (window.storeState = () => JSON.stringify(read()))}
  />,
);

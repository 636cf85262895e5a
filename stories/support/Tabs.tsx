// Two tabs of a browser, shown side by side on one page. Each has its own session and its own store.
import { userEvent, within } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../src/index.js';
import { articleHooks } from './articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from './ArticlesDemo.js';
import type { setupTokenApp } from './setupTokenApp.js';

const Articles = articleHooks();
type TabSession = ReturnType<typeof setupTokenApp>['session'];

/**
 * A place that two sessions of one page share as two tabs share `localStorage`: web storage tells other documents only what was written,
 * and the sessions of a storage of the app's own tell each other by a channel.
 */
export const placeOfTabs = (key: string) => ({
  get: () => localStorage.getItem(key),
  set: (text: string) => localStorage.setItem(key, text),
  remove: () => localStorage.removeItem(key),
});

/** Tabs with their names, side by side where there is room. */
export function Tabs({ of }: { of: Record<string, TabSession> }) {
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '1rem' }}>
      {Object.entries(of).map(([name, session]) => (
        <Tab key={name} name={name} session={session} />
      ))}
    </div>
  );
}

function Tab({ name, session }: { name: string; session: TabSession }) {
  return (
    <section aria-label={name} style={{ flex: 1, border: '1px solid', padding: '0 1rem' }}>
      <h2>{name}</h2>
      <TokenAuthProvider session={session}>
        <AuthStatus />
        <SignInButtons />
        <Authenticated fallback={<p>Nobody is signed in.</p>}>
          <ArticlesDemo articles={Articles} label={`Articles in the ${name.toLowerCase()}`} />
        </Authenticated>
      </TokenAuthProvider>
    </section>
  );
}

export type TabCanvas = ReturnType<typeof within>;

export const tabsOf = (canvas: TabCanvas) => ({
  first: within(canvas.getByRole('region', { name: 'First tab' })),
  second: within(canvas.getByRole('region', { name: 'Second tab' })),
});

export const click = (tab: TabCanvas, name: string) => userEvent.click(tab.getByRole('button', { name }));

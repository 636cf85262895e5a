import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ChangingProps } from './ChangingProps.js';
import { createApp } from './createApp.js';
import { HiddenPage } from './HiddenPage.js';
import { install } from './install.js';

const search = new URLSearchParams(location.search);
const container = document.getElementById('root') as HTMLElement;

/** A fresh session and root at each call, as a module that was reloaded has them. */
function mount() {
  const app = createApp(search);
  install(app);
  const root = createRoot(container);
  root.render(<StrictMode>{app.element}</StrictMode>);
  return { unmount: () => root.unmount(), dispose: () => app.session?.dispose() };
}

/** A root that React sets its page-wide listeners up for, once and for good. */
function warmUp() {
  const root = createRoot(document.createElement('div'));
  root.render('warm');
  root.unmount();
}

if (search.has('hidden')) {
  createRoot(container).render(<HiddenPage />);
} else if (search.has('props')) {
  createRoot(container).render(<ChangingProps isStrict={search.get('props') === 'strict'} />);
} else if (search.has('manual')) {
  warmUp();
  window.mount = mount;
} else if (container.childElementCount > 0) {
  const app = createApp(search);
  install(app);
  hydrateRoot(container, app.element);
} else {
  mount();
}

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp } from './createApp.js';

const app = await createApp(new URLSearchParams(location.search));
createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode>{app}</StrictMode>);

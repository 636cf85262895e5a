import 'data-client-auth/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WithContext } from './WithContext';
import { WithCookie } from './WithCookie';
import { WithToken } from './WithToken';

const App = { '/token': WithToken, '/cookie': WithCookie, '/context': WithContext }[location.pathname];
const root = document.getElementById('root');

if (App && root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { createApi, type AuthVariant } from './server/createApi.ts';

/** Runs the API inside of Vite's server: one command, and one origin for the page and its cookies. */
function api(variant: AuthVariant): Plugin {
  return {
    name: 'issue-tracker-api',
    configureServer: async ({ middlewares }) => void middlewares.use('/api', await createApi(variant)),
    configurePreviewServer: async ({ middlewares }) => void middlewares.use('/api', await createApi(variant)),
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [react(), api(mode === 'cookie' ? 'cookie' : 'token')],
  resolve: { tsconfigPaths: true },
}));

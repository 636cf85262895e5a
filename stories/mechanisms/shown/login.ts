import { RestEndpoint } from '../../../src/index.js';

export const login = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/login',
  method: 'POST',
  body: {} as { username: string; password: string },
  process: (value): { accessToken: string } => value,
});

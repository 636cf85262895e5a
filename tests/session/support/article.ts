import { Entity } from '../../../src/entries/core.js';

export const API = 'https://api.example.com';

export class Article extends Entity {
  id = '';
  title = '';
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  user: { id: string };
}

export const tokenOf = ({ headers }: { headers: Headers }): string | null => headers.get('access-token');

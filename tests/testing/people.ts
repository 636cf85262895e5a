import type { PretendPerson } from '../../src/testing/index.js';

export const people: PretendPerson[] = [
  { id: 'ada', name: 'Ada Lovelace', password: 'lovelace' },
  { id: 'grace', name: 'Grace Hopper', password: 'hopper', role: 'editor' },
];

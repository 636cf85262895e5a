import type { MockPerson } from '../../src/testing/index.js';

export const people: MockPerson[] = [
  { id: 'ada', name: 'Ada Lovelace', password: 'lovelace' },
  { id: 'grace', name: 'Grace Hopper', password: 'hopper', role: 'editor' },
];

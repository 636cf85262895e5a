import { expect, test } from 'vitest';
import { TokenOwners } from '../../src/mechanisms/TokenOwners.js';

const jwt = (sub: string) => `h.${btoa(JSON.stringify({ sub }))}.s`;

test('the last hundred users are remembered; the one not seen for the longest time is forgotten first', () => {
  const owners = new TokenOwners();
  owners.addToken(jwt('auth0|ada'), 'ada');
  owners.addToken('opaque', 'grace');
  for (let n = 0; n < 98; n++) owners.addUser(`user ${n}`);
  owners.addUser('ada');
  expect([owners.ownerOf(jwt('auth0|ada'), 'cy'), owners.ownerOf('opaque', 'cy')]).toEqual(['other', 'other']);
  owners.addUser('user 98');
  expect([owners.ownerOf(jwt('auth0|ada'), 'cy'), owners.ownerOf('opaque', 'cy')]).toEqual(['other', 'own']);
  for (let n = 99; n < 197; n++) owners.addUser(`user ${n}`);
  expect(owners.ownerOf(jwt('auth0|ada'), 'cy')).toBe('other');
  owners.addUser('user 197');
  expect(owners.ownerOf(jwt('auth0|ada'), 'cy')).toBe('unknown');
});

test('a user keeps the `sub` that is known when an opaque token comes, and the other way round', () => {
  const owners = new TokenOwners();
  owners.addToken(jwt('auth0|ada'), 'ada');
  owners.addToken('opaque', 'ada');
  owners.addToken(jwt('auth0|ada'), 'ada');
  expect([owners.ownerOf(jwt('auth0|ada'), 'grace'), owners.ownerOf('opaque', 'grace')]).toEqual(['other', 'other']);
});

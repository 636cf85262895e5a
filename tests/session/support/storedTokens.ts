import { expect } from 'vitest';

/**
 * The tokens in what a storage has, as text. The record of a sign-out has none: that a user has signed out may be stored, and is no
 * less than an empty storage.
 */
export function storedTokens(text: string | null | undefined): string[] {
  if (!text) return [];
  const tokens: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (/token$/i.test(key) && typeof value === 'string') tokens.push(value);
    return value;
  });
  return tokens;
}

/** Expects that no token is stored: an empty storage, or a record without tokens. */
export function expectNoTokenStored(text: string | null | undefined): void {
  expect(storedTokens(text)).toEqual([]);
}

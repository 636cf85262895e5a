import { expect, test } from 'vitest';
import { Entity } from '../../src/entries/core.js';

class Article extends Entity {
  id = '';
}

const DELETED = Symbol('as data-client marks a deleted record');
const deletedAt = { fetchedAt: 5, date: 10, expiresAt: Infinity };
const row = { id: '1' };
const response = (fetchedAt: number) => ({ fetchedAt, date: 20, expiresAt: 80 });

test('a response that was requested before a deletion does not bring the record back, and changes none of its times', () => {
  const late = response(9);
  expect(Article.mergeWithStore(deletedAt, late, DELETED, row)).toBe(DELETED);
  expect(Article.mergeMetaWithStore(deletedAt, late, DELETED, row)).toBe(deletedAt);
});

test('one that was requested after it does, and so does each response for a record that is there', () => {
  const next = response(10);
  expect(Article.mergeWithStore(deletedAt, next, DELETED, row)).toBe(row);
  expect(Article.mergeMetaWithStore(deletedAt, next, DELETED, row)).toBe(next);
  expect(Article.mergeWithStore(deletedAt, response(9), { id: '1', title: 'Old' }, row)).toMatchObject(row);
});

import { schema } from '@data-client/rest';
import { expect, test } from 'vitest';
import { Collection, Entity } from '../../src/index.js';
import { findRowEntity } from '../../src/widgets/shared/findList.js';

class Issue extends Entity {
  url = '';

  override pk() {
    return this.url;
  }
}

test.each([
  ['a collection', new Collection([Issue]), Issue],
  ['an array', [Issue], Issue],
  ['a list in a field', { data: { items: new Collection([Issue]) } }, Issue],
  ['a list in a field of `schema.Object`', new schema.Object({ items: new Collection([Issue]) }), Issue],
  ['`schema.Array`', new schema.Array(Issue), Issue],
  ['a map', new Collection(new schema.Values(Issue)), undefined],
  ['a list of converted values', [(value: string) => new Date(value)], undefined],
  ['a list of plain objects', [{}], undefined],
])('the class of the rows of %s', (_, schema, entity) => {
  expect(findRowEntity(schema)).toBe(entity);
});

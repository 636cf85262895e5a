import { expect, test } from 'vitest';
import { Entity, resource } from '../../src/index.js';
import { recordParams, type LooseEndpoint } from '../../src/widgets/shared/resource.js';

class Doc extends Entity {
  id = '';
}

/** The params of a deletion of a row. */
const paramsOf = (row: object, params: object, path = '/:workspace/doc/:id', listPath?: string) => {
  const Docs = resource({ path, schema: Doc });
  const getList = listPath === undefined ? Docs.getList : Docs.getList.extend({ path: listPath });
  const loose = [Docs.delete, getList] as unknown as [LooseEndpoint, LooseEndpoint];
  return recordParams(loose[0], row, loose[1], params as never);
};

test('a row is deleted below the address of its list, whatever its fields say', () => {
  expect(paramsOf({ id: '1', workspace: 'private' }, { workspace: 'shared' })).toEqual({
    workspace: 'shared',
    id: '1',
  });
});

test('where the list has no such param in its path, the record names it, else a search param', () => {
  expect(paramsOf({ id: '1', workspace: 'a' }, { workspace: 'b' }, undefined, '/doc')).toEqual({
    workspace: 'a',
    id: '1',
  });
  expect(paramsOf({ id: '1', workspace: '' }, { workspace: 'b' }, undefined, '/doc')).toEqual({
    workspace: 'b',
    id: '1',
  });
});

test('the last param is the record, also where the path of the list has one of that name', () => {
  expect(paramsOf({ id: '1' }, { id: 'ada' }, '/doc/:id', '/author/:id/doc')).toEqual({ id: '1' });
  expect(paramsOf(Doc.fromJS({ id: '1' }), { workspace: 'a' }, '/:workspace/doc/:slug')).toEqual({
    workspace: 'a',
    slug: '1',
  });
});

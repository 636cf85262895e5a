import { useSuspense } from '@data-client/react';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';

class Page extends Entity {
  id = '';
  group = '';
  title = '';
}

const source = resource({ urlPrefix: api, path: '/:group/:id', schema: Page });

export const PageResource = hookifyResource(source, useAda);

/** A server with two pages of one group. */
export const setupPages = () =>
  setupRestApi(source, [
    { id: '1', group: 'engines', title: 'On looms' },
    { id: '2', group: 'engines', title: 'On steam' },
  ]);

export const group = 'engines';

/** The titles of the group. */
export function List() {
  return (
    <ul>
      {useSuspense(PageResource.useGetList(), { group }).map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

export function Detail({ id }: { id: string }) {
  return <p>{`Detail: ${useSuspense(PageResource.useGet(), { group, id }).title}`}</p>;
}

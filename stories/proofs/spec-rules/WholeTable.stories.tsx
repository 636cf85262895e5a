import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { Collection, hookifyResource, Invalidate } from '../../../src/index.js';
import { Article, articleResource } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { useAda } from '../../support/setupRestApi.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const ArticleResource = hookifyResource(articleResource(), useAda);

/** The whole table “Endpoints” of the spec, read from the endpoints that the hooks return. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The kind of an endpoint's schema, in the spec's words, found by identity. */
function schemaInWords(schema: unknown, list: { schema: { push: unknown; unshift: unknown } }): string {
  if (schema === Article) return 'the resource schema';
  if (schema === list.schema) return 'array of the resource schema';
  if (schema === list.schema.push) return 'useGetList().schema.push';
  if (schema === list.schema.unshift) return 'useGetList().schema.unshift';
  if (schema instanceof Invalidate) return `Invalidate of ${schema.key}`;
  if (schema instanceof Collection)
    return `Collection that merges 1, 2 with 2, 3 to ${String(schema.merge(['1', '2'], ['2', '3'])).replaceAll(',', ', ')}`;
  return 'something else';
}

function Table() {
  const getList = ArticleResource.useGetList();
  const hooks = {
    'useGet()': ArticleResource.useGet(),
    'useGetList()': getList,
    'useGetList().push': getList.push,
    'useGetList().unshift': getList.unshift,
    'useGetList().getPage': getList.getPage,
    'useUpdate()': ArticleResource.useUpdate(),
    'usePartialUpdate()': ArticleResource.usePartialUpdate(),
    'useDelete()': ArticleResource.useDelete(),
  };
  return (
    <table>
      <thead>
        <tr>
          <th>Hook</th>
          <th>Method</th>
          <th>Path</th>
          <th>Schema</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(hooks).map(([hook, endpoint]) => (
          <tr key={hook}>
            <td>{hook}</td>
            <td>{endpoint.method}</td>
            <td>{endpoint.path}</td>
            <td>{schemaInWords(endpoint.schema, getList)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The whole table, read from the endpoints themselves, schemas included. Rendering a hook sends nothing. */
export const TheWholeTable: Story = {
  render: () => <Table />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the spec’s table', async () => {
      await canvas.findByText('useGet()');
      await expect(
        canvas.getAllByRole('row').map(row => [...row.children].map(cell => cell.textContent).join(' | ')),
      ).toEqual([
        'Hook | Method | Path | Schema',
        'useGet() | GET | /article/:id | the resource schema',
        'useGetList() | GET | /article | array of the resource schema',
        'useGetList().push | POST | /article | useGetList().schema.push',
        'useGetList().unshift | POST | /article | useGetList().schema.unshift',
        'useGetList().getPage | GET | /article | Collection that merges 1, 2 with 2, 3 to 1, 2, 3',
        'useUpdate() | PUT | /article/:id | the resource schema',
        'usePartialUpdate() | PATCH | /article/:id | the resource schema',
        `useDelete() | DELETE | /article/:id | Invalidate of ${Article.key}`,
      ]);
    });
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

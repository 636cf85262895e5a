import errors from '@octokit/fixtures/scenarios/api.github.com/errors/normalized-fixture.json';
import labels from '@octokit/fixtures/scenarios/api.github.com/labels/normalized-fixture.json';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { Labels, recordedToken, start } from '../../support/github.js';
import { replayFixture } from '../../support/replayFixture.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { GitHubPage, owner, sent } from './GitHubPage.js';

/** Real traffic: GitHub's recorded answers about the labels of a repository, which a user changes in the kit's widgets. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: start(recordedToken),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The labels of one repository. */
function LabelList() {
  return (
    <ResourceList
      resource={Labels}
      params={{ owner, repo: 'labels' }}
      label="Labels"
      create={{
        push: [
          { name: 'name', label: 'Name', required: true },
          { name: 'color', label: 'Colour', required: true },
        ],
      }}
      renderItem={(label, { partialUpdate, remove }) => (
        <>
          {`${label.name} (${label.color}) `}
          <button
            type="button"
            onClick={() => void partialUpdate({ new_name: `${label.name}-updated`, color: 'BADA55' })}
          >
            Rename {label.name}
          </button>{' '}
          {/* The address names the label by its name, the store by its id: the row knows both. */}
          <button type="button" onClick={() => void remove()}>
            Delete {label.name}
          </button>
        </>
      )}
    />
  );
}

/** A repository's labels: one is created, renamed and deleted, with the bodies that were recorded. */
export const GitHubLabelsOfARepository: Story = {
  beforeEach: ({ msw }) => {
    msw.use(...replayFixture(labels));
  },
  render: () => (
    <GitHubPage>
      <LabelList />
    </GitHubPage>
  ),
  play: async ({ canvas, step, journal }) => {
    const list = within(await canvas.findByRole('region', { name: 'Labels' }));
    await step('the user sees the labels of a new repository', async () => {
      await list.findByText(/^bug \(d73a4a\)/);
      await expect(list.getAllByRole('listitem')).toHaveLength(9);
    });
    await step('she creates one', async () => {
      await userEvent.type(list.getByLabelText('Name'), 'test-label');
      await userEvent.type(list.getByLabelText('Colour'), '663399');
      await userEvent.click(list.getByRole('button', { name: 'Create' }));
      await list.findByText(/^test-label \(663399\)/);
    });
    await step('she renames it', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Rename test-label' }));
      await list.findByText(/^test-label-updated \(BADA55\)/);
    });
    await step('she deletes it, and it leaves the list, which is not read again', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Delete test-label-updated' }));
      await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(9));
      await expect(list.queryByText(/^test-label/)).not.toBeInTheDocument();
    });
    await step('four requests, with the recorded bodies', () =>
      expect(journal).toHaveSent([
        sent.get('/repos/octokit-fixture-org/labels/labels').as(recordedToken),
        sent
          .post('/repos/octokit-fixture-org/labels/labels')
          .as(recordedToken)
          .json({ name: 'test-label', color: '663399' }),
        sent
          .patch('/repos/octokit-fixture-org/labels/labels/test-label')
          .as(recordedToken)
          .json({ new_name: 'test-label-updated', color: 'BADA55' }),
        sent.delete('/repos/octokit-fixture-org/labels/labels/test-label-updated').as(recordedToken),
      ]),
    );
  },
};

/** GitHub does not accept a colour: the form says so at the field and keeps the text, and the user stays signed in. */
export const GitHubValidationError: Story = {
  beforeEach: ({ msw }) => {
    msw.use(...replayFixture(errors));
  },
  render: () => (
    <GitHubPage>
      <ResourceForm
        resource={Labels}
        action="push"
        params={{ owner, repo: 'errors' }}
        fields={[
          { name: 'name', label: 'Name', required: true },
          { name: 'color', label: 'Colour', required: true },
        ]}
      />
    </GitHubPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the user creates a label without a colour, and sees the refusal', async () => {
      await userEvent.type(await canvas.findByLabelText('Name'), 'foo');
      await userEvent.type(canvas.getByLabelText('Colour'), 'invalid');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server did not accept this. Check what you entered.',
      );
      await waitFor(() => expect(canvas.getByLabelText('Colour')).toHaveFocus());
      await expect(canvas.getByLabelText('Colour')).toHaveAccessibleDescription('This is not valid.');
      await expect(canvas.getByLabelText('Colour')).toHaveValue('invalid');
      await expect(canvas.getByLabelText('Name')).not.toHaveAttribute('aria-invalid');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.post('/repos/octokit-fixture-org/errors/labels').as(recordedToken).json({ name: 'foo', color: 'invalid' }),
      ]),
    );
  },
};

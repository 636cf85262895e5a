import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { ResourceForm, ResourceList, WidgetStyles } from '../../src/index.js';
import { tokenWorld } from '../support/tokenWorld.js';

const world = tokenWorld();

/** A list and a form, as every app has them. */
function ListAndForm() {
  return (
    <world.Provider>
      <ResourceList
        resource={world.Articles}
        label="Articles"
        renderItem={(article, { remove }) => (
          <>
            {article.title}{' '}
            <button type="button" onClick={() => void remove()}>
              Delete {article.title}
            </button>
          </>
        )}
      />
      <ResourceForm
        resource={world.Articles}
        action="push"
        fields={[
          { name: 'title', label: 'Title' },
          { name: 'content', label: 'Content', type: 'textarea' },
        ]}
      />
    </world.Provider>
  );
}

/** A plain look for those who want one. Its rules stand in `:where()`, so that any rule of the app wins over them. */
const meta = {
  title: 'Widgets/WidgetStyles',
  component: WidgetStyles,
  render: () => (
    <>
      <WidgetStyles />
      <ListAndForm />
    </>
  ),
  beforeEach: world.start('ada'),
} satisfies Meta<typeof WidgetStyles>;

export default meta;
type Story = StoryObj<typeof meta>;

const GET = 'GET https://api.example.com/article  same-origin  access-token: ada-1';

export const Basic: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('the list has no bullets, and the button has the colour of the sheet', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('list')).toHaveStyle({ listStyleType: 'none', paddingLeft: '0px' });
      await expect(canvas.getByRole('button', { name: 'Create' })).toHaveStyle({ backgroundColor: 'rgb(29, 78, 216)' });
    });
    await step('one GET', () => expect(journal).toHaveSent([GET]));
  },
};

/** The widgets have no look of their own: the browser's. */
export const Without: Story = {
  render: () => <ListAndForm />,
  play: async ({ canvas, step, journal }) => {
    await step('the list has the bullets of the browser', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('list')).toHaveStyle({ listStyleType: 'disc' });
    });
    await step('one GET', () => expect(journal).toHaveSent([GET]));
  },
};

/** CSS variables change it, for the page or for a part of it. */
export const WithVariables: Story = {
  render: () => (
    <div style={{ '--dca-button': '#7a2e0e', '--dca-gap': '1.5rem' } as object}>
      <WidgetStyles />
      <ListAndForm />
    </div>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the button has the colour of the variable', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('button', { name: 'Create' })).toHaveStyle({ backgroundColor: 'rgb(122, 46, 14)' });
    });
    await step('one GET', () => expect(journal).toHaveSent([GET]));
  },
};

import type { Meta, StoryObj } from '@storybook/react-vite';
import { type CSSProperties } from 'react';
import { expect, userEvent } from 'storybook/test';
import { LoginForm, PaginatedList, ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp();
const { sent } = app;

/** A list and a form, as in any app. */
function ListAndForm() {
  return (
    <>
      <ResourceList
        resource={app.Articles}
        label="Articles"
        renderItem={({ title }, { remove }) => (
          <>
            {title}{' '}
            <button type="button" className="dca-button" onClick={() => void remove()}>
              Delete {title}
            </button>
          </>
        )}
      />
      <ResourceForm
        resource={app.Articles}
        action="push"
        fields={[
          { name: 'title', label: 'Title' },
          { name: 'content', label: 'Content', type: 'textarea' },
        ]}
      />
    </>
  );
}

/** Proves the look of the stylesheet, and that the rules of an app win over it. */
const meta = {
  title: 'Proofs/Look and labels',
  tags: ['proof', '!autodocs'],
  component: ListAndForm,
  decorators: below(app),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof ListAndForm>;

export default meta;
type Story = StoryObj<typeof meta>;

const stylesBasic: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the list has neither bullets nor an indent, and the button that sends is filled', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('list')).toHaveStyle({ listStyleType: '""', paddingLeft: '0px' });
      await expect(canvas.getByRole('button', { name: 'Create' })).toHaveStyle({ backgroundColor: 'rgb(37, 99, 235)' });
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const without: Story = {
  beforeEach: () => {
    const sheets = [...document.styleSheets].filter(({ cssRules }) =>
      [...cssRules].some(rule => rule.cssText.includes('.dca-')),
    );
    for (const sheet of sheets) sheet.disabled = true;
    return () => sheets.forEach(sheet => (sheet.disabled = false));
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('the list has the bullets of the browser', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('list')).toHaveStyle({ listStyleType: 'disc' });
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** With the stylesheet, and without it: the browser’s own look, and nothing is lost. */
export const StylesBasic: Story = inCases({
  'without the stylesheet': without,
  'with the stylesheet': stylesBasic,
});

const withVariables: Story = {
  render: () => (
    <div style={{ '--dca-accent': '#7a2e0e', '--dca-radius': '0', '--dca-gap': '1.5rem' } as CSSProperties}>
      <ListAndForm />
    </div>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('colour, corners and spacing follow the variables', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('button', { name: 'Create' })).toHaveStyle({
        backgroundColor: 'rgb(122, 46, 14)',
        borderRadius: '0px',
      });
      await expect(canvas.getAllByRole('listitem')[0]).toHaveStyle({ paddingTop: '24px' });
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** Any rule of the app wins, even one that names only an element, wherever it is in the cascade. */
export const AppWins: Story = {
  beforeEach: () => {
    const first = document.createElement('style');
    first.textContent = 'button { background: #14532d; color: #fff } li { border: 0 }';
    document.head.prepend(first);
    return () => first.remove();
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('buttons and rows follow the app’s rules', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('button', { name: 'Create' })).toHaveStyle({ backgroundColor: 'rgb(20, 83, 45)' });
      await expect(canvas.getAllByRole('listitem')[0]).toHaveStyle({ borderBottomWidth: '0px' });
    });
    await step('the rest follows the stylesheet', () =>
      expect(canvas.getAllByRole('listitem')[0]).toHaveStyle({ paddingTop: '12px' }),
    );
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** Light and dark follow `color-scheme`, of the page or of a part of it. */
export const LightAndDark: Story = {
  render: () => (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '1rem' }}>
      {(['light', 'dark'] as const).map(colorScheme => (
        <div
          key={colorScheme}
          data-testid={colorScheme}
          style={{ colorScheme, flex: '1 1 18rem', padding: '1rem', background: 'Canvas', color: 'CanvasText' }}
        >
          <ListAndForm />
        </div>
      ))}
    </div>
  ),
  // The same two landmarks twice; an app has them once.
  parameters: { a11y: { config: { rules: [{ id: 'landmark-unique', enabled: false }] } } },
  play: async ({ canvas, step, hasSent }) => {
    await step('inputs are white on one side, and dark on the other', async () => {
      await canvas.findAllByText('On signing in');
      const [light, dark] = canvas.getAllByLabelText('Title').map(input => getComputedStyle(input));
      await expect(light).toMatchObject({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(0, 0, 0)' });
      await expect(dark).toMatchObject({ backgroundColor: 'rgb(18, 18, 18)', color: 'rgb(255, 255, 255)' });
    });
    await hasSent('one GET for both', [sent.get('/article').as('ada')]);
  },
};

/** From right to left: the layout is mirrored. */
export const RightToLeft: Story = {
  beforeEach: () => app.articles.failNext(403),
  decorators: [
    Story => (
      <div dir="rtl" lang="ar">
        <Story />
      </div>
    ),
  ],
  render: () => (
    <ResourceList
      resource={app.Articles}
      label="مقالات"
      labels={{ failure: () => 'غير مسموح لك بذلك.', retry: 'حاول مرة أخرى' }}
      renderItem={({ title }) => <bdi>{title}</bdi>}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the message begins with its mark at the right; its button is at the left', async () => {
      const words = await canvas.findByText('غير مسموح لك بذلك.');
      const { right } = words.parentElement!.getBoundingClientRect();
      // More than the padding: the mark is between.
      await expect(right - words.getBoundingClientRect().right).toBeGreaterThan(40);
      const button = canvas.getByRole('button', { name: 'حاول مرة أخرى' });
      await expect(button.getBoundingClientRect().right).toBeLessThanOrEqual(words.getBoundingClientRect().left);
    });
    await hasSent('the refused GET', [sent.get('/article').as('ada')]);
  },
};

const LONG_WORD = 'https://example.com/'.padEnd(120, 'x');

/** A word that is longer than the line, as a title or in a message of the server, is broken: in errors, forms and dialogs too. */
export const LongWords: Story = {
  beforeEach: () => app.articles.failNext(403),
  render: () => (
    <div style={{ inlineSize: '18rem' }}>
      <ResourceList
        resource={app.Articles}
        label="Articles"
        deleteMode="confirm"
        getItemLabel={() => LONG_WORD}
        labels={{ failure: () => LONG_WORD }}
        renderItem={({ title }, { remove }) => (
          <button type="button" onClick={() => void remove()}>
            Delete {title}
          </button>
        )}
      />
      <ResourceForm
        resource={app.Articles}
        action="push"
        fields={[{ name: 'title', label: LONG_WORD, hint: LONG_WORD }]}
      />
      <LoginForm title={LONG_WORD} />
    </div>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const isBroken = (element: Element) => expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
    await step('the error, the form and the sign-in are as wide as their place', async () => {
      const error = await canvas.findByRole('alert');
      await isBroken(error);
      await isBroken(error.closest('section')!.parentElement!);
    });
    await step('and so is the question before a deletion', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      await isBroken(await canvas.findByRole('alertdialog'));
    });
    await hasSent('a refused GET, and one that succeeds', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
    ]);
  },
};

const fontOfThePages: Story = {
  render: () => (
    <div style={{ '--dca-font': '1rem/1.5 monospace' } as CSSProperties}>
      <PaginatedList resource={app.Articles} paginated={{ page: 2 }} renderItem={({ title }) => title} />
    </div>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('rows and numbers', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('list')).toHaveStyle({ fontFamily: 'monospace' });
      await expect(canvas.getByRole('button', { name: 'Page 2' })).toHaveStyle({ fontFamily: 'monospace' });
    });
    await hasSent('one GET', [sent.get('/article?page=2').as('ada')]);
  },
};

/** CSS variables change the look, for the page or for a part of it. */
export const WithVariables: Story = inCases({
  'colour, corners and spacing': withVariables,
  'the font: the numbers of the pages have that of the list above them': fontOfThePages,
});

import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { useEffect, useState, type CSSProperties } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { ResourceList, RowActions } from '../../../src/entries/widgets.js';
import type { Article } from '../../support/articles.js';
import { manualTimers } from '../../support/manualTimers.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';

const app = setupWidgetApp();
const { sent } = app;
const renders = createCounter();
const undoTimers = manualTimers(8_000);

interface RowProps {
  article: Article;
  actions: { partialUpdate: (body: Partial<Article>) => Promise<unknown>; remove: () => Promise<unknown> };
}

function Row({ article: { title }, actions }: RowProps) {
  useEffect(() => renders.add());
  return (
    <>
      <span>{title}</span>{' '}
      <RowActions itemLabel={title}>
        <button type="button" onClick={() => void actions.partialUpdate({ title: `${title}!` })}>
          Revise
        </button>
        <button type="button" aria-disabled="true">
          Publish
        </button>
        <button type="button" onClick={() => void actions.remove()}>
          Delete
        </button>
      </RowActions>
    </>
  );
}

/** Ada's articles in a column of this width. */
function Column({
  width,
  deleteMode,
  style,
}: {
  width: number;
  deleteMode?: 'confirm' | 'undo';
  style?: CSSProperties;
}) {
  return (
    <div data-testid="column" style={{ inlineSize: width, ...style }}>
      <ResourceList
        resource={app.Articles}
        label="Articles"
        deleteMode={deleteMode}
        getItemLabel={article => article.title}
        renderItem={(article, actions) => <Row article={article} actions={actions} />}
      />
    </div>
  );
}

/**
 * Proves when the actions of a row are a menu, and what the menu does. Escape and a press elsewhere are the browser's own;
 * `tests/browser/rowMenu.test.ts` presses them.
 */
const meta = {
  title: 'Proofs/RowActions',
  tags: ['proof', '!autodocs'],
  component: Column,
  args: { width: 328 },
  decorators: [
    Story => (
      <app.Provider>
        <RenderCounter label="Row renders" counter={renders} />
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: [app.start('ada'), undoTimers.start, () => renders.reset()],
} satisfies Meta<typeof Column>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = StoryContext['canvas'];

const menuButton = (canvas: Canvas) => canvas.findByRole('button', { name: 'More actions for “On signing in”' });
const firstRow = (canvas: Canvas) => within(canvas.getAllByRole('listitem')[0]!);
const menuOf = (button: HTMLElement) => button.nextElementSibling as HTMLElement;

/** The width of the row decides, by CSS alone: no row renders again. A hidden action is hidden for everybody, and none is there twice. */
export const FitsOrNot: Story = {
  render: function FitsOrNot() {
    const [width, setWidth] = useState(640);
    return (
      <>
        {[640, 328].map(next => (
          <button key={next} type="button" onClick={() => setWidth(next)}>{`${next} pixels`}</button>
        ))}
        <div style={{ inlineSize: width }}>
          <List />
        </div>
      </>
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('a wide row shows its three buttons, and no menu', async () => {
      await canvas.findByText('On signing in');
      for (const name of ['Revise', 'Publish', 'Delete'])
        await expect(firstRow(canvas).getByRole('button', { name })).toBeVisible();
      await expect(canvas.queryByRole('button', { name: /^More actions/ })).not.toBeInTheDocument();
      await waitFor(() => expect(renders.read()).toBe(2));
    });
    await step('a narrow row shows the button of the menu, and none of the three', async () => {
      await userEvent.click(canvas.getByRole('button', { name: '328 pixels' }));
      await expect(await menuButton(canvas)).toBeVisible();
      await expect(firstRow(canvas).getAllByRole('button')).toHaveLength(1);
    });
    await step('wide again: the three buttons', async () => {
      await userEvent.click(canvas.getByRole('button', { name: '640 pixels' }));
      await waitFor(() => expect(firstRow(canvas).getAllByRole('button')).toHaveLength(3));
    });
    await step('no row has rendered again', () => expect(renders.read()).toBe(2));
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const renderRow = (article: Article, actions: RowProps['actions']) => <Row article={article} actions={actions} />;
const List = () => <ResourceList resource={app.Articles} label="Articles" renderItem={renderRow} />;

/** By keyboard: Enter opens the menu, Tab leads through it, and after an action the focus is on its button. */
export const ByKeyboard: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const button = await menuButton(canvas);
    await step('Ada opens the menu', async () => {
      button.focus();
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(menuOf(button).matches(':popover-open')).toBe(true));
      await expect(button).toHaveFocus();
    });
    await step('Tab leads through the actions, and back', async () => {
      for (const name of ['Revise', 'Publish', 'Delete']) {
        await userEvent.tab();
        await expect(canvas.getByRole('button', { name })).toHaveFocus();
      }
      await userEvent.tab({ shift: true });
      await userEvent.tab({ shift: true });
      await expect(canvas.getByRole('button', { name: 'Revise' })).toHaveFocus();
    });
    await step('Enter revises: the menu is closed, and its button has the focus', async () => {
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On signing in!');
      await expect(menuOf(button).matches(':popover-open')).toBe(false);
      await expect(button).toHaveFocus();
    });
    await hasSent('one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
    ]);
  },
};

/** An action with `aria-disabled` leaves the menu open, so that the user can read why. */
export const Disabled: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const button = await menuButton(canvas);
    await step('Ada presses the disabled action', async () => {
      await userEvent.click(button);
      await userEvent.click(canvas.getByRole('button', { name: 'Publish' }));
      await expect(menuOf(button).matches(':popover-open')).toBe(true);
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const confirmedFromTheMenu: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, hasSent }) => {
    const button = await menuButton(canvas);
    const ask = async () => {
      await userEvent.click(button);
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      return within(await canvas.findByRole('alertdialog', { name: 'Delete “On signing in”?' }));
    };
    await step('Ada cancels: the menu is closed, and its button has the focus', async () => {
      await userEvent.click((await ask()).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(button).toHaveFocus());
      await expect(menuOf(button).matches(':popover-open')).toBe(false);
    });
    await step('she confirms: the next row has the focus', async () => {
      await userEvent.click((await ask()).getByRole('button', { name: 'Delete' }));
      await waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(1));
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const undoneFromTheMenu: Story = {
  args: { deleteMode: 'undo' },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes: the bar takes the place of the row, and Undo has the focus', async () => {
      await userEvent.click(await menuButton(canvas));
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await canvas.findByText('“On signing in” is deleted.');
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Undo' })).toHaveFocus());
    });
    await step('she takes it back', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
      await expect(await menuButton(canvas)).toBeVisible();
    });
    await hasSent('nothing was deleted', [sent.get('/article').as('ada')]);
  },
};

/** A deletion from the menu asks first, or can be undone, as any other. */
export const DeletedFromTheMenu: Story = inCases({
  'confirmed in the dialog: Cancel gives the focus back to the button of the menu': confirmedFromTheMenu,
  undone: undoneFromTheMenu,
});

const linkAmongButtons: Story = {
  render: () => (
    <ResourceList
      resource={app.Articles}
      label="Articles"
      renderItem={({ title }) => (
        <>
          <span>{title}</span>
          <RowActions itemLabel={title}>
            <a href="#edit">Edit</a>
            <button type="button">Delete</button>
          </RowActions>
        </>
      )}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees a link and a button of one look', async () => {
      await canvas.findByText('On signing in');
      const row = firstRow(canvas);
      const look = (element: HTMLElement) => {
        const { color, fontSize, fontWeight, textDecorationLine, borderTopColor } = getComputedStyle(element);
        const { top, height } = element.getBoundingClientRect();
        return { color, fontSize, fontWeight, textDecorationLine, borderTopColor, top, height };
      };
      await expect(look(row.getByRole('link', { name: 'Edit' }))).toEqual(
        look(row.getByRole('button', { name: 'Delete' })),
      );
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const linkInTheMenu: Story = {
  render: ({ width }) => (
    <div style={{ inlineSize: width }}>
      <ResourceList
        resource={app.Articles}
        label="Articles"
        renderItem={({ title }) => (
          <>
            <span>{title}</span>
            <RowActions itemLabel={title}>
              <a href="#edit">Edit</a>
              <a href="#move" className="dca-button">
                Move
              </a>
              <button type="button">Delete</button>
            </RowActions>
          </>
        )}
      />
    </div>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const textStart = (element: HTMLElement) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().left;
    };
    await step('Ada opens the menu of a row: three texts below each other', async () => {
      const button = await menuButton(canvas);
      await userEvent.click(button);
      const starts = Array.from(menuOf(button).children, action => textStart(action as HTMLElement));
      await expect(starts).toEqual([starts[0], starts[0], starts[0]]);
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** A link is an action as a button is. */
export const Links: Story = inCases({
  'in the row it looks like one': linkAmongButtons,
  'in the menu, the texts of links and buttons begin at one edge': linkInTheMenu,
});

/** From right to left the menu is mirrored: it begins at the left edge of its button. */
export const RightToLeft: Story = {
  decorators: [
    Story => (
      <div dir="rtl" lang="ar">
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('the button is at the left, and the menu below it', async () => {
      const button = await menuButton(canvas);
      await userEvent.click(button);
      const [from, menu] = [button, menuOf(button)].map(element => element.getBoundingClientRect()) as [
        DOMRect,
        DOMRect,
      ];
      await expect(from.left).toBeLessThan(canvas.getByText('On signing in').getBoundingClientRect().left);
      await expect(Math.abs(menu.left - from.left)).toBeLessThan(2);
      await expect(menu.top).toBeGreaterThanOrEqual(from.bottom);
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** Without the stylesheet, the actions are always in the menu. */
export const WithoutTheStylesheet: Story = {
  args: { width: 640 },
  beforeEach: () => {
    const sheets = [...document.styleSheets].filter(({ cssRules }) =>
      [...cssRules].some(rule => rule.cssText.includes('.dca-')),
    );
    for (const sheet of sheets) sheet.disabled = true;
    return () => sheets.forEach(sheet => (sheet.disabled = false));
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada revises from the menu', async () => {
      const button = await menuButton(canvas);
      await expect(firstRow(canvas).getAllByRole('button')).toHaveLength(1);
      await userEvent.click(button);
      await userEvent.click(canvas.getByRole('button', { name: 'Revise' }));
      await canvas.findByText('On signing in!');
    });
    await hasSent('one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
    ]);
  },
};

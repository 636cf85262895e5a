import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { PaginatedList, nextPageNumber, LoginForm, Authenticated, WidgetLabelsProvider, type WidgetLabels } from '../../src/index.js';
import { manyArticles } from '../support/manyArticles.js';
import { widgetWorld } from '../support/widgetWorld.js';

const world = widgetWorld({ rows: manyArticles(2_500).rows, articles: { pagination: { style: 'page', size: 1_250 } } });

const LIST = 'GET /api/article  same-origin  access-token: ada-1';

/** All that the widgets say, in German; counts by `Intl`, as in any app. */
const german: WidgetLabels = {
  loading: 'Lädt …',
  updating: 'Wird aktualisiert …',
  empty: 'Noch nichts da.',
  retry: 'Erneut versuchen',
  retrying: 'Neuer Versuch …',
  notFound: 'Das gibt es nicht, oder nicht mehr.',
  removed: 'Gelöscht.',
  confirmDelete: name => `${name ? `„${name}“` : 'Das'} löschen?`,
  delete: 'Löschen',
  cancel: 'Abbrechen',
  deleted: name => `${name ? `„${name}“` : 'Das'} ist gelöscht.`,
  undo: 'Rückgängig',
  create: 'Anlegen',
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  loadMore: 'Mehr laden',
  loadingMore: 'Mehr wird geladen …',
  signIn: 'Anmelden',
  signingIn: 'Anmeldung läuft …',
  username: 'Benutzername',
  password: 'Passwort',
  showPassword: 'Passwort zeigen',
  wrongLogin: 'Benutzername oder Passwort ist falsch.',
  sessionExpired: 'Die Sitzung ist beendet. Bitte neu anmelden.',
  loaded: (more, total) => `${more.toLocaleString('de')} weitere, ${total.toLocaleString('de')} insgesamt.`,
  allLoaded: total => `Alle ${total.toLocaleString('de')} geladen.`,
  failure: () => 'Das hat nicht geklappt.',
};

/** Some of it in Arabic; the rest stays English until it is translated. */
const arabic: Partial<WidgetLabels> = {
  deleted: name => `حُذف «${name ?? ''}».`,
  undo: 'تراجع',
  loadMore: 'تحميل المزيد',
  loaded: (more, total) => `تم تحميل ${more.toLocaleString('ar-EG')}، المجموع ${total.toLocaleString('ar-EG')}`,
  signIn: 'تسجيل الدخول',
  username: 'اسم المستخدم',
  password: 'كلمة المرور',
  showPassword: 'إظهار كلمة المرور',
  failure: () => 'لم يقبل الخادم ذلك. راجع ما أدخلته.',
  wrongLogin: 'اسم المستخدم أو كلمة المرور غير صحيحة.',
};

/**
 * `WidgetLabelsProvider` gives the widgets below their words; the `labels` of one widget win over them. The English counts are written as
 * the reader's browser writes numbers. From right to left is a matter of `dir`: nothing stands on a side of its own.
 */
const meta = {
  title: 'Widgets/Languages',
  component: WidgetLabelsProvider,
  args: {
    labels: german,
    children: (
      <Authenticated fallback={<LoginForm />}>
        <PaginatedList
          resource={world.Articles}
          next={nextPageNumber({ size: 1_250 })}
          label="Artikel"
          labels={{ loadMore: 'Weitere Artikel' }}
          deletion="confirm"
          nameOf={article => article.title}
          renderItem={(article, { remove }) => (
            <>
              {article.title}{' '}
              <button type="button" onClick={() => void remove()}>
                Löschen: {article.title}
              </button>
            </>
          )}
        />
      </Authenticated>
    ),
  },
  decorators: [
    Story => (
      <world.Provider>
        <Story />
      </world.Provider>
    ),
  ],
  beforeEach: world.start('ada'),
} satisfies Meta<typeof WidgetLabelsProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** An app in German, and one list that says “more” in words of its own. */
export const German: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads the second page: counts are written as in German', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Weitere Artikel' }));
      await canvas.findByText('1.250 weitere, 2.500 insgesamt.');
    });
    await step('a deletion is asked about in German', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Löschen: Article 1' }));
      await canvas.findByRole('alertdialog', { name: '„Article 1“ löschen?' });
      await userEvent.click(canvas.getByRole('button', { name: 'Abbrechen' }));
      await waitFor(() => expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument());
    });
    await step('two pages', () => expect(journal).toHaveSent([LIST, LIST.replace('/article', '/article?page=2')]));
  },
};

/** From right to left: the note of a deletion begins at the right, and its button stands left of it. */
export const Arabic: Story = {
  args: {
    labels: arabic,
    children: (
      <PaginatedList
        resource={world.Articles}
        next={nextPageNumber({ size: 1_250 })}
        label="مقالات"
        deletion="undo"
        nameOf={article => `مقالة ${article.id}`}
        renderItem={(article, { remove }) => (
          <>
            <span>مقالة {article.id}</span>{' '}
            <button type="button" onClick={() => void remove()}>
              حذف مقالة {article.id}
            </button>
          </>
        )}
      />
    ),
  },
  decorators: [
    Story => (
      <div dir="rtl" lang="ar">
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and reads the note from right to left', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'حذف مقالة 2' }));
      const note = await canvas.findByText('حُذف «مقالة 2».');
      const undo = canvas.getByRole('button', { name: 'تراجع' });
      await expect(undo.getBoundingClientRect().right).toBeLessThanOrEqual(note.getBoundingClientRect().right);
      await expect(note.getBoundingClientRect().right).toBeGreaterThan(document.documentElement.clientWidth / 2);
      await userEvent.click(undo);
      await canvas.findByText('مقالة 2');
    });
    await step('counts are written in Arabic', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'تحميل المزيد' }));
      await canvas.findByText('تم تحميل ١٬٢٥٠، المجموع ٢٬٥٠٠');
    });
    await step('two pages', () => expect(journal).toHaveSent([LIST, LIST.replace('/article', '/article?page=2')]));
  },
};

/** The login form from right to left: labels at the right, errors at their fields. */
export const ArabicLogin: Story = {
  args: { labels: arabic, children: <LoginForm /> },
  decorators: Arabic.decorators ?? [],
  beforeEach: context => {
    const stop = world.start()(context);
    context.msw.use(http.post('/api/login', () => HttpResponse.json({ errors: { username: ['هذا الحساب مقفل.'] } }, { status: 422 })));
    return stop;
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada is refused, and told at her name', async () => {
      await userEvent.type(await canvas.findByLabelText('اسم المستخدم'), 'ada');
      await userEvent.type(canvas.getByLabelText('كلمة المرور'), 'lovelace{Enter}');
      await waitFor(() => expect(canvas.getByLabelText('اسم المستخدم')).toHaveAccessibleDescription('هذا الحساب مقفل.'));
      const label = canvas.getByText('اسم المستخدم').getBoundingClientRect();
      const input = canvas.getByLabelText('اسم المستخدم').getBoundingClientRect();
      await expect(Math.abs(label.right - input.right)).toBeLessThan(4);
    });
    await step('one login', () => expect(journal).toHaveSent(['POST /api/login  same-origin  {"username":"ada","password":"lovelace"}']));
  },
};

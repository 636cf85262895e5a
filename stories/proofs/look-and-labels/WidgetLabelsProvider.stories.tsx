import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import {
  LoginForm,
  nextPageNumber,
  PaginatedList,
  ResourceList,
  WidgetLabelsProvider,
  type WidgetLabels,
} from '../../../src/entries/widgets.js';
import { manyArticles } from '../../support/manyArticles.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';

const app = setupWidgetApp({
  rows: manyArticles(2_500).rows,
  articles: { pagination: { style: 'page', size: 1_250 } },
});
const { sent } = app;

const small = setupWidgetApp();

/** All texts of the widgets in German; counts by `Intl`, as in any app. */
const german: WidgetLabels = {
  loading: 'Lädt …',
  updating: 'Wird aktualisiert …',
  empty: 'Noch nichts da.',
  noMatches: 'Keine Treffer.',
  retry: 'Erneut versuchen',
  retrying: 'Neuer Versuch …',
  notFound: 'Das gibt es nicht, oder nicht mehr.',
  removed: 'Gelöscht.',
  confirmDelete: name => `${name ? `„${name}“` : 'Das'} löschen?`,
  delete: 'Löschen',
  cancel: 'Abbrechen',
  deleted: name => `${name ? `„${name}“` : 'Das'} ist gelöscht.`,
  undo: 'Rückgängig',
  undone: name => `${name ? `„${name}“` : 'Das'} ist nicht gelöscht.`,
  created: name => `${name ? `„${name}“` : 'Das'} ist angelegt.`,
  moreActions: name => (name ? `Weitere Aktionen für „${name}“` : 'Weitere Aktionen'),
  create: 'Anlegen',
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  saved: 'Gespeichert.',
  reload: 'Neu laden',
  denied: 'Das dürfen Sie nicht ändern.',
  invalidField: code => (code === 'missing_field' ? 'Das fehlt.' : 'Das ist nicht gültig.'),
  onePerLine: 'Eins in jeder Zeile.',
  inexactNumber: 'Diese Zahl hat zu viele Stellen.',
  loadMore: 'Mehr laden',
  loadingMore: 'Mehr wird geladen …',
  signInTitle: 'Beim Konto anmelden',
  signIn: 'Anmelden',
  signingIn: 'Anmeldung läuft …',
  username: 'Benutzername',
  password: 'Passwort',
  showPassword: 'Passwort zeigen',
  remember: 'Angemeldet bleiben',
  wrongLogin: 'Benutzername oder Passwort ist falsch.',
  loginFailed: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es später noch einmal.',
  challengeTitle: 'Bestätigen Sie, dass Sie es sind',
  code: 'Code',
  continue: 'Weiter',
  continuing: 'Wird geprüft …',
  wrongAnswer: 'Das stimmt nicht. Versuchen Sie es noch einmal.',
  signedOut: 'Sie sind abgemeldet.',
  signedOutElsewhere: 'Sie wurden an anderer Stelle abgemeldet. Bitte neu anmelden.',
  sessionEnding: cause => (cause === 'idle' ? 'Sie werden gleich abgemeldet.' : 'Ihre Sitzung endet gleich.'),
  timeLeft: seconds => `Noch ${seconds} Sekunden`,
  staySignedIn: 'Angemeldet bleiben',
  signOutNow: 'Jetzt abmelden',
  signedOutIdle: 'Sie wurden abgemeldet, weil Sie nicht da waren. Bitte neu anmelden.',
  sessionExpired: 'Die Sitzung ist beendet. Bitte neu anmelden.',
  locked: 'Die Sitzung ist beendet. Melden Sie sich an, um weiterzumachen.',
  notMe: 'Das bin ich nicht',
  notRestored:
    'Ob jemand angemeldet ist, war nicht zu erfahren. Verbindung prüfen und erneut versuchen, oder anmelden.',
  logoutUnconfirmed:
    'Auf dieser Seite abgemeldet, aber der Server hat es nicht bestätigt. Verbindung prüfen und erneut versuchen.',
  loaded: (more, loaded, total) =>
    `${more.toLocaleString('de')} weitere, ${loaded.toLocaleString('de')} ${total === undefined ? 'insgesamt' : `von ${total.toLocaleString('de')}`}.`,
  allLoaded: total => `Alle ${total.toLocaleString('de')} geladen.`,
  someLoaded: (loaded, total) =>
    `${loaded.toLocaleString('de')}${total === undefined ? '' : ` von ${total.toLocaleString('de')}`} geladen.`,
  pages: 'Seiten',
  page: page => `Seite ${page.toLocaleString('de')}`,
  previousPage: 'Zurück',
  nextPage: 'Weiter',
  shownRows: (first, last, total) => `${first}–${last} von ${total.toLocaleString('de')}`,
  emptyPage: 'Diese Seite ist leer.',
  failure: () => 'Das hat nicht geklappt.',
};

/** Some texts in Arabic; the rest stays English until it is translated. */
const arabic: Partial<WidgetLabels> = {
  deleted: name => `حُذف «${name ?? ''}».`,
  undo: 'تراجع',
  loadMore: 'تحميل المزيد',
  loaded: (more, loaded) => `تم تحميل ${more.toLocaleString('ar-EG')}، المجموع ${loaded.toLocaleString('ar-EG')}`,
  signInTitle: 'تسجيل الدخول إلى حسابك',
  signIn: 'تسجيل الدخول',
  username: 'اسم المستخدم',
  password: 'كلمة المرور',
  showPassword: 'إظهار كلمة المرور',
  failure: () => 'لم يقبل الخادم ذلك. راجع ما أدخلته.',
  wrongLogin: 'اسم المستخدم أو كلمة المرور غير صحيحة.',
  loginFailed: 'تعذر تسجيل الدخول. حاول مرة أخرى لاحقا.',
};

/** Proves that the widgets use the texts of the provider, and that the `labels` of one widget win. */
const meta = {
  title: 'Proofs/Look and labels',
  tags: ['proof', '!autodocs'],
  component: WidgetLabelsProvider,
  args: {
    labels: german,
    children: (
      <Authenticated fallback={<LoginForm />}>
        <PaginatedList
          virtual
          resource={app.Articles}
          next={nextPageNumber({ size: 1_250 })}
          label="Artikel"
          labels={{ loadMore: 'Weitere Artikel' }}
          deleteMode="confirm"
          getItemLabel={article => article.title}
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
  render: args => (
    <app.Provider>
      <WidgetLabelsProvider {...args} />
    </app.Provider>
  ),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof WidgetLabelsProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** An app in German, and one list with its own text for “more”. */
export const Basic: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada loads the second page: counts are written as in German', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Weitere Artikel' }));
      await canvas.findByText('1.250 weitere, 2.500 insgesamt.');
    });
    await step('a dialog asks about a deletion in German', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Löschen: Article 1' }));
      await canvas.findByRole('alertdialog', { name: '„Article 1“ löschen?' });
      await userEvent.click(canvas.getByRole('button', { name: 'Abbrechen' }));
      await waitFor(() => expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument());
    });
    await hasSent('two pages', [sent.get('/article').as('ada'), sent.get('/article?page=2').as('ada')]);
  },
};

/** The same gate with a list of a few articles. */
const few: Story = {
  args: {
    children: (
      <Authenticated fallback={<LoginForm />}>
        <ResourceList
          resource={small.Articles}
          label="Artikel"
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
  render: args => (
    <small.Provider>
      <WidgetLabelsProvider {...args} />
    </small.Provider>
  ),
};

/** One provider in another: the inner one has a few texts of its own, the outer one has the rest. */
export const Nested: Story = {
  ...few,
  args: {
    children: (
      <WidgetLabelsProvider labels={{ empty: 'Keine Artikel.' }}>
        <ResourceList resource={small.Articles} label="Artikel" renderItem={article => article.title} />
      </WidgetLabelsProvider>
    ),
  },
  beforeEach: [
    small.start('ada'),
    ({ msw }) =>
      msw.use(
        http.get('/api/article', () => HttpResponse.error(), { once: true }),
        http.get('/api/article', () => HttpResponse.json([])),
      ),
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('the failure has the outer provider’s text and button', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Das hat nicht geklappt.');
      await userEvent.click(canvas.getByRole('button', { name: 'Erneut versuchen' }));
    });
    await step('the empty list has the inner provider’s text', async () => {
      await canvas.findByText('Keine Artikel.');
    });
    await hasSent('two GETs', [sent.get('/article').as('ada'), sent.get('/article').as('ada')]);
  },
};

const emptyCase: Story = {
  ...few,
  beforeEach: [small.start('ada'), ({ msw }) => msw.use(http.get('/api/article', () => HttpResponse.json([])))],
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that there are none', async () => {
      await canvas.findByText('Noch nichts da.');
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const loadingCase: Story = {
  ...few,
  parameters: { unanswered: true },
  beforeEach: [small.start('ada'), () => void small.articles.hold()],
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that it is loading', async () => {
      await expect(await canvas.findByText('Lädt …')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Lädt …'));
      await waitFor(() => expect(small.articles.held).toBe(1));
    });
    await hasSent('one GET is under way', [sent.get('/article').as('ada')]);
  },
};

const refused: Story = {
  ...few,
  beforeEach: small.start(),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada mistypes her password, and sees the error', async () => {
      await userEvent.type(await canvas.findByLabelText('Benutzername'), 'ada');
      await userEvent.type(canvas.getByLabelText('Passwort'), 'lovelac{Enter}');
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Benutzername oder Passwort ist falsch.');
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelac' })]);
  },
};

const expired: Story = {
  ...few,
  beforeEach: small.start('ada'),
  play: async ({ canvas, step, hasSent }) => {
    await step('the server revokes Ada’s login; her next request shows the form, with the reason', async () => {
      const button = await canvas.findByRole('button', { name: 'Löschen: On signing in' });
      small.server.revoke('ada');
      await userEvent.click(button);
      await canvas.findByText('Die Sitzung ist beendet. Bitte neu anmelden.');
      await expect(canvas.getByRole('button', { name: 'Anmelden' })).toBeVisible();
    });
    await hasSent('one refresh, refused', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
    ]);
  },
};

const offline: Story = {
  ...few,
  beforeEach: [small.start('ada'), () => small.articles.failNext('network')],
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the message, and tries again', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Das hat nicht geklappt.');
      await userEvent.click(canvas.getByRole('button', { name: 'Erneut versuchen' }));
      await canvas.findByText('On signing in');
    });
    await hasSent('two GETs', [sent.get('/article').as('ada'), sent.get('/article').as('ada')]);
  },
};

/** Each state of the widgets has its German text. */
export const EachState: Story = inCases({
  'no rows': emptyCase,
  'an answer that is under way': loadingCase,
  'a wrong password': refused,
  'the end of a session': expired,
  'no connection; the button tries again': offline,
});

/** From right to left: the note of a deletion begins at the right, and its button is left of it. */
export const Arabic: Story = {
  args: {
    labels: arabic,
    children: (
      <PaginatedList
        virtual
        resource={app.Articles}
        next={nextPageNumber({ size: 1_250 })}
        label="مقالات"
        deleteMode="undo"
        getItemLabel={article => `مقالة ${article.id}`}
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
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and reads the note from right to left', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'حذف مقالة 2' }));
      const note = await canvas.findByText('حُذف «\u2068مقالة 2\u2069».');
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
    await hasSent('two pages', [sent.get('/article').as('ada'), sent.get('/article?page=2').as('ada')]);
  },
};

const HEBREW_NAME = 'מה קורה?';

/** A name from right to left in an English sentence: its question mark is at its end, at the left, in the question and in the note. */
export const HebrewName: Story = {
  args: {
    labels: {},
    children: (['confirm', 'undo'] as const).map(deleteMode => (
      <ResourceList
        key={deleteMode}
        resource={small.Articles}
        label={deleteMode}
        deleteMode={deleteMode}
        getItemLabel={() => HEBREW_NAME}
        renderItem={(article, { remove }) => (
          <>
            <span>{article.title}</span>
            <button type="button" aria-label={`Delete ${article.title}`} onClick={() => void remove()}>
              Delete
            </button>
          </>
        )}
      />
    )),
  },
  render: args => (
    <small.Provider>
      <WidgetLabelsProvider {...args} />
    </small.Provider>
  ),
  beforeEach: small.start('ada'),
  play: async ({ canvas, step, hasSent }) => {
    const remove = async (label: string) =>
      userEvent.click(
        await within(await canvas.findByRole('region', { name: label })).findByRole('button', {
          name: 'Delete On signing in',
        }),
      );
    await step('Ada is asked about a deletion', async () => {
      await remove('confirm');
      await expectAtTheLeft('?', await canvas.findByText(`Delete “\u2068${HEBREW_NAME}\u2069”?`));
      await userEvent.click(canvas.getByRole('button', { name: 'Cancel' }));
    });
    await step('Ada deletes an article, and undoes it', async () => {
      await remove('undo');
      await expectAtTheLeft('?', await canvas.findByText(`“\u2068${HEBREW_NAME}\u2069” is deleted.`));
      await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
    });
    await hasSent('one list', [sent.get('/article').as('ada')]);
  },
};

/** A character is left of the first letter of the Hebrew name. */
async function expectAtTheLeft(character: string, element: HTMLElement) {
  const text = element.firstChild as Text;
  const leftOf = (index: number) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect().left;
  };
  const start = text.data.indexOf(HEBREW_NAME);
  await expect(leftOf(text.data.indexOf(character))).toBeLessThan(leftOf(start));
}

/** The login form from right to left: labels at the right, errors at their fields. */
export const ArabicLogin: Story = {
  args: { labels: arabic, children: <LoginForm /> },
  decorators: Arabic.decorators ?? [],
  beforeEach: context => {
    const stop = app.start()(context);
    context.msw.use(
      http.post('/api/login', () => HttpResponse.json({ errors: { username: ['هذا الحساب مقفل.'] } }, { status: 422 })),
    );
    return stop;
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada is refused, and sees the error at her name', async () => {
      await userEvent.type(await canvas.findByLabelText('اسم المستخدم'), 'ada');
      await userEvent.type(canvas.getByLabelText('كلمة المرور'), 'lovelace{Enter}');
      await waitFor(() =>
        expect(canvas.getByLabelText('اسم المستخدم')).toHaveAccessibleDescription('هذا الحساب مقفل.'),
      );
      const label = canvas.getByText('اسم المستخدم').getBoundingClientRect();
      const input = canvas.getByLabelText('اسم المستخدم').getBoundingClientRect();
      await expect(Math.abs(label.right - input.right)).toBeLessThan(4);
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelace' })]);
  },
};

import type { Meta, StoryObj } from '@storybook/react-vite';
import type { CSSProperties } from 'react';
import { LoginForm, ResourceList, WidgetLabelsProvider } from '../../src/entries/widgets.js';
import { atStart } from '../support/atStart.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const { articles, Provider, start } = setupWidgetApp();

/**
 * Sets the texts of the widgets below it. The prop `labels` of a widget wins. The look is the optional stylesheet
 * `data-client-auth/styles.css`: its colours follow the `color-scheme` of the page, and any rule of yours wins over it.
 */
const meta = {
  title: 'Widgets/WidgetLabelsProvider',
  component: WidgetLabelsProvider,
  args: {
    labels: {
      username: 'Benutzername',
      password: 'Passwort',
      showPassword: 'Passwort zeigen',
      signInTitle: 'Beim Konto anmelden',
      signIn: 'Anmelden',
      signingIn: 'Anmeldung läuft …',
      wrongLogin: 'Benutzername oder Passwort ist falsch.',
      loginFailed: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es später noch einmal.',
    },
    children: <LoginForm />,
  },
  decorators: [
    Story => (
      <Provider>
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start('ada'),
  parameters: { docs: { story: { height: '400px' } } },
} satisfies Meta<typeof WidgetLabelsProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** German texts for all widgets below. The type `WidgetLabels` lists all texts; those that you leave out stay English. */
export const Basic: Story = {};

/** For Arabic, set `dir="rtl"` around the widgets: the stylesheet has no left and no right. */
export const Arabic: Story = {
  args: {
    labels: {
      username: 'اسم المستخدم',
      password: 'كلمة المرور',
      showPassword: 'إظهار كلمة المرور',
      signInTitle: 'تسجيل الدخول إلى حسابك',
      signIn: 'تسجيل الدخول',
      wrongLogin: 'اسم المستخدم أو كلمة المرور غير صحيحة.',
      loginFailed: 'تعذر تسجيل الدخول. حاول مرة أخرى لاحقا.',
    },
  },
  render: args => (
    <div dir="rtl" lang="ar">
      <WidgetLabelsProvider {...args} />
    </div>
  ),
};

/** One list has its own text for a retry; the text of the error is the provider's. */
export const OneWidget: Story = {
  args: {
    labels: { failure: () => 'Das hat nicht geklappt.', retry: 'Erneut versuchen' },
    children: (
      <ResourceList
        resource={Articles}
        label="Artikel"
        labels={{ retry: 'Artikel neu laden' }}
        renderItem={article => article.title}
      />
    ),
  },
  beforeEach: atStart(() => articles.failNext('network')),
  parameters: { docs: { story: { height: '130px' } } },
};

/** CSS variables change the look of the stylesheet, for the page or for a part of it. */
export const OwnVariables: Story = {
  render: () => (
    <div style={{ '--dca-accent': '#7a2e0e', '--dca-radius': '0', '--dca-gap': '1.5rem' } as CSSProperties}>
      <LoginForm />
    </div>
  ),
  parameters: { docs: { story: { height: '430px' } } },
};

/** Without the stylesheet, the widgets have the look of the browser. Your own rules use the classes `dca-login`, `dca-list` and so on. */
export const NoStylesheet: Story = {
  render: () => <LoginForm />,
  beforeEach: () => {
    const sheets = [...document.styleSheets].filter(({ cssRules }) =>
      [...cssRules].some(rule => rule.cssText.includes('.dca-')),
    );
    for (const sheet of sheets) sheet.disabled = true;
    return () => sheets.forEach(sheet => (sheet.disabled = false));
  },
  parameters: { docs: { story: { height: '250px' } } },
};

import type { Meta, StoryObj } from '@storybook/react-vite';
import { Authenticated } from '../../src/index.js';
import { sessionClock, SessionWarning, type SessionClock } from '../../src/entries/clock.js';
import { LoginForm, ResourceList } from '../../src/entries/widgets.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const { cookies, Provider, start } = setupWidgetApp();

/** A minute from now, as the server would say it. */
const endsSoon = sessionClock({ warn: 120_000, endsAt: () => Date.now() + 60_000, tabs: false });
const idle = sessionClock({ idle: { after: 60_000, warn: 58_000 }, tabs: false });

/**
 * Says that the session is about to end. The provider has the prop `clock`; [The session's clock](?path=/docs/build-the-session-s-clock--docs)
 * says what it takes. The warning is announced once, and does not take the focus.
 */
const meta = {
  title: 'Widgets/SessionWarning',
  component: SessionWarning,
  beforeEach: start('ada'),
  parameters: { cookies, docs: { story: { height: '340px' } } },
} satisfies Meta<typeof SessionWarning>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The server has set an end, a minute from now. After it, the login form says that the session has ended. */
export const Basic: Story = { render: under(endsSoon) };

/** The user is away. Leave the pointer and the keyboard alone for two seconds; a key or a click takes the warning away. */
export const Idle: Story = { render: under(idle) };

function under(clock: SessionClock): NonNullable<Story['render']> {
  return args => (
    <Provider clock={clock}>
      <SessionWarning {...args} />
      <Authenticated fallback={<LoginForm />}>
        <ResourceList resource={Articles} label="Articles" renderItem={article => article.title} />
      </Authenticated>
    </Provider>
  );
}

import { expect, userEvent, within } from 'storybook/test';
import { Authenticated, createTokenSession, RestEndpoint, TokenAuthProvider } from 'data-client-auth';
import { LoginForm, ResourceList } from 'data-client-auth/widgets';
import { journal, server } from '../.storybook/mocks';
import { api, Articles } from './articles';

const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  header: 'Authorization',
  trustedOrigins: [api],
});

export default { title: 'My articles', parameters: { auth: { disable: true } } };

export const SignsIn = {
  beforeEach: () => {
    server.reset();
    session.dispose(); // no user is signed in any more
  },
  render: () => (
    <TokenAuthProvider session={session}>
      <Authenticated fallback={<LoginForm />}>
        <ResourceList resource={Articles} label="My articles" renderItem={article => article.title} />
      </Authenticated>
    </TokenAuthProvider>
  ),
  play: async ({ canvasElement }: { canvasElement: HTMLElement }) => {
    const canvas = within(canvasElement);
    await userEvent.type(await canvas.findByLabelText('User name'), 'ada');
    await userEvent.type(canvas.getByLabelText('Password'), 'lovelace');
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
    await canvas.findByText('On signing in');

    // method, address, credentials mode, credential headers, body; two spaces between them
    await expect(journal).toHaveSent([
      'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
      'GET https://api.example.com/article  same-origin  authorization: Bearer ada-1',
    ]);
  },
};

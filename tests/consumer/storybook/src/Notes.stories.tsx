import { Authenticated, Entity, hookifyResource, resource } from 'data-client-auth';
import { LoginForm, ResourceList } from 'data-client-auth/widgets';
import { worker } from '../.storybook/mocks';
import { handlers } from './mechanismMocks';
import { mechanisms } from './mechanisms';

class Note extends Entity {
  id = '';
  title = '';
}

const Notes = hookifyResource(resource({ path: '/note/:id', schema: Note }));

function Page() {
  return (
    <Authenticated fallback={<LoginForm />}>
      <ResourceList resource={Notes} label="Notes" renderItem={note => note.title} />
    </Authenticated>
  );
}

export default {
  title: 'Notes',
  component: Page,
  parameters: { auth: { mechanisms } },
  beforeEach: () => worker.use(...handlers),
};

export const OfAda = { parameters: { auth: { as: 'ada' } } };
export const OfGrace = { parameters: { auth: { as: 'grace' } } };
export const SignedOut = {};

/** A story outside of the kit. */
export const WithoutAuth = { parameters: { auth: { disable: true } }, render: () => <p>No session here.</p> };

import { Authenticated, Entity, hookifyResource, LoginForm, resource, ResourceList } from 'data-client-auth';

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

export default { title: 'Notes', component: Page };

export const OfAda = { parameters: { auth: { as: 'ada' } } };
export const OfGrace = { parameters: { auth: { as: 'grace' } } };
export const SignedOut = {};

/** A story outside of the kit. */
export const WithoutAuth = { parameters: { auth: { disable: true } }, render: () => <p>No session here.</p> };

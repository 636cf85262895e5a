import { RestEndpoint } from '../../../src/entries/core.js';
import type { MockPerson } from '../../../src/testing/index.js';

/** The user in the server's answers. */
export const userOf = (id: string) => ({ id, name: id });

export const people: readonly MockPerson[] = ['ada', 'bob', 'cy', 'eve', 'grace'].map(id => ({
  ...userOf(id),
  password: id,
}));

export class LoginEndpoint extends RestEndpoint {
  /** The tests sign in by name; the mock server wants a password too. */
  override getRequestInit(body: { name: string }) {
    return super.getRequestInit({ username: body.name, password: body.name });
  }
}

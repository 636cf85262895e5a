/** A class of data-client's entities: `class User extends Entity { id = ''; name = ''; }`. */
export type UserClass<User = unknown> = abstract new (...args: never[]) => User;

/** What the server says about the user: of a record, some fields, before the class makes an instance of them. */
export type UserAnswer<User> = User extends { pk(...args: never[]): unknown }
  ? { readonly [K in keyof User]?: unknown }
  : User;

/** The option of a session that makes its user a record of data-client. */
export interface UserOption<User> {
  /**
   * The class of the user's record, the same as in the resource of users. What login, `whoami`, a refresh or `reload()`
   * says about the user is then in the store of the identity, and `useAuth().user` reads it there: it shows each change
   * of that record, also one by a form, and takes it back when the server refuses it. Other records change nothing.
   *
   * Where no answer describes the user (an SDK, a login with tokens alone), the record is the one whose primary key is
   * the subject; `user` is undefined until an answer brings it.
   *
   * @default `useAuth().user` is what the server said at the sign-in, the last check or `reload()`
   */
  readonly user?: UserClass<User> | undefined;
}

/**
 * Returns a function that makes the user from an answer of the server: an instance of the class, with its defaults. The
 * same answer gives the same instance.
 */
export function createReadUser<User>(userClass: UserClass<User> | undefined): (answer: unknown) => User | undefined {
  if (!userClass) return answer => answer as User | undefined;
  const { fromJS } = userClass as UserClass<User> & { fromJS(this: unknown, props: object): User };
  let [last, user] = [undefined, undefined] as [unknown, User | undefined];
  return answer => {
    if (answer !== last) user = answer instanceof Object ? fromJS.call(userClass, answer) : undefined;
    last = answer;
    return user;
  };
}

import { __INTERNAL__, Controller, useCache, type State } from '@data-client/react';
import type { SessionCore } from '../session/extension.js';
import type { EndpointInterface, Schema } from './rest.js';

/** An endpoint that is never sent: the place of the user in a store. With an argument, the record that has it as primary key. */
type UserEndpoint = EndpointInterface<(subject?: string) => Promise<unknown>, Schema | undefined, undefined>;

/**
 * The user of a session in one store, as a record of data-client. Each answer of the server about the user is set there. It is as old as
 * its request, so that it does not undo a newer change of the record.
 */
export class UserRecord {
  readonly endpoint: UserEndpoint;
  /** A store with the current user, or an empty one. */
  readonly initialState: State<unknown>;
  readonly #session: SessionCore;
  readonly #initial: readonly unknown[];
  #latest: readonly unknown[] = [];

  constructor(session: SessionCore) {
    this.#session = session;
    this.endpoint = {
      key: (subject = '') => `data-client-auth user ${subject}`,
      schema: session.userClass,
      dataExpiryLength: Infinity,
    } as UserEndpoint;
    this.#initial = this.#news;
    this.initialState = this.#preview().state;
  }

  /** The subject of a user whom no answer has described. */
  get subject(): string | undefined {
    return this.#answer ? undefined : this.#session.getSubject();
  }

  /** The user as the store will have them, for a render before the answer is set. */
  read(): unknown {
    return this.#preview().user;
  }

  /** Call when a store with `initialState` is mounted, before the first `update`. */
  mount(): void {
    this.#latest = this.#initial;
  }

  /** Sets an answer that is newer than the last one. */
  update(controller: Controller): void {
    const news = this.#news;
    if (news.every((value, index) => value === this.#latest[index])) return;
    this.#latest = news;
    this.#setIn(controller);
  }

  #setIn(controller: Controller): void {
    const { askedAt: fetchedAt = Date.now() } = this.#session.getOwner() ?? {};
    if (this.#answer) void controller.resolve(this.endpoint, { args: [], response: this.#answer, fetchedAt });
  }

  /** An equal answer is news, too: another device may have taken back a change of the record. */
  get #news(): readonly unknown[] {
    return [this.#answer, this.#session.getOwner()?.askedAt];
  }

  /** What the server has last said about the user. */
  get #answer(): object | undefined {
    const user = this.#session.getOwner()?.user;
    return user instanceof Object ? user : undefined;
  }

  /** Sets the current answer in an empty store. */
  #preview(): { state: State<unknown>; user: unknown } {
    let state = __INTERNAL__.initialState;
    const controller = new Controller({ dispatch: async action => void (state = reduce(state, action)) });
    const reduce = __INTERNAL__.createReducer(controller);
    this.#setIn(controller);
    return { state, user: controller.getResponse(this.endpoint, undefined, state).data };
  }
}

/** Returns the user as the store has them; undefined until it does. Renders at each change of the store, as data-client's hooks do. */
export function useUserRecord({ endpoint, subject }: UserRecord): unknown {
  return useCache(endpoint, subject);
}

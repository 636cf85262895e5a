import type { BoundSession } from '../endpoints/boundSession.js';

/** What the user wants to do, and on what. Sent to the server as it is. */
export interface PermissionQuestion {
  /** `'create'`, `'update'` and `'delete'` for the widgets, and any word of your own. */
  readonly action: string;
  /** The kind of records, by the `key` of its entity, and the primary key of one record. @default no record */
  readonly on?: { readonly type: string; readonly id?: string };
  /** The field of the record. @default the record as a whole */
  readonly field?: string;
}

/** The answer to one question. The reason is shown to the user. */
export type PermissionAnswer = boolean | { readonly allowed: boolean; readonly reason?: string | undefined };

/** What is known about one question. */
export interface Permission {
  /**
   * - `pending`: the answer is on its way, or it is not known yet who is signed in.
   * - `unavailable`: the question could not be answered, see `error`. It is asked again by `retry`, and when a component that asks is
   *   mounted.
   */
  readonly status: 'pending' | 'allowed' | 'denied' | 'unavailable';
  /** Why it is denied, in the server's words. */
  readonly reason?: string | undefined;
  /** Why the question could not be answered. */
  readonly error?: Error | undefined;
  /** Asks again, while the status is `unavailable`. The status stays until the answer comes; another failure has another `error`. */
  readonly retry?: (() => void) | undefined;
}

/** What a component asks about: an entity, its class, the `key` of a class, or a type with an id. */
export type PermissionSubject = object | string;

export interface AskedQuestion {
  readonly action: string;
  readonly on?: PermissionSubject | undefined;
  readonly field?: string | undefined;
  /** The record for `fromUser`. @default `on` */
  readonly record?: object | undefined;
}

/** A component that shows something as the answers say. */
export interface PermissionWatcher {
  /** The questions of its last render. */
  getQuestions(): readonly AskedQuestion[];
  onChange(): void;
}

/** The answers for one session. They are forgotten with the identity. */
export interface PermissionAnswers {
  /** Reads what is known. Asks nothing. */
  read(asked: AskedQuestion): Permission;
  /** Reads what a server renders, and a page until it is hydrated. */
  readOnServer(asked: AskedQuestion): Permission;
  /** Asks what is not known, together with all other questions of the moment. */
  ask(questions: readonly AskedQuestion[]): void;
  /**
   * The server has refused with a 403 what an answer allowed: asks again, or loads the user again if `fromUser` has answered. While the
   * session is locked, both wait for the unlock.
   */
  onForbidden(asked: AskedQuestion): void;
  watch(watcher: PermissionWatcher): () => void;
}

/** Made by `permissions()`. Returns the same answers for the same session and store. */
export type Permissions = (bound: BoundSession) => PermissionAnswers;

export interface PermissionsOptions<User, Ask = AskFunction<User> | AskEndpoint> {
  /**
   * Answers from the user alone, at once: no request is sent. Called in render and on a server too, so it must be pure.
   * Undefined leaves the question to `ask`; without `ask` it is denied.
   *
   * @param user What the session knows of the user; undefined while no user is signed in.
   * @param record The record that a component asks about, as the component passed it.
   */
  readonly fromUser?:
    | ((
        question: PermissionQuestion,
        user: User | undefined,
        record: object | undefined,
      ) => PermissionAnswer | undefined)
    | undefined;
  /**
   * Asks the server. Called once for all questions of one render; resolves with one answer for each, in the same order.
   * Not called while no user is signed in. A `RestEndpoint` is sent with the session's credentials, and
   * `{ questions }` as its body.
   */
  readonly ask?: Ask | undefined;
}

export type AskFunction<User> = (
  questions: readonly PermissionQuestion[],
  user: User,
) => Promise<readonly PermissionAnswer[]>;
export type AskEndpoint = (body: {
  readonly questions: readonly PermissionQuestion[];
}) => Promise<readonly PermissionAnswer[]>;

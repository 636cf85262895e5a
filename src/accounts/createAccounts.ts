import { untilAborted } from '../clock.js';
import { sessionCore } from '../endpoints/sessionCore.js';
import { IdentityChangedError } from '../errors.js';
import { attachHeader } from '../mechanisms/attachHeader.js';
import { ownCall } from '../mechanisms/ownCall.js';
import { idOf } from '../mechanisms/subjectOf.js';
import { DEFAULT_NAME } from '../mechanisms/tabsOption.js';
import { tryOrUndefined } from '../mechanisms/tryOrUndefined.js';
import { addListener, notifyListeners } from '../notifyListeners.js';
import type { SessionCore } from '../session/extension.js';
import type { Session, SessionStatus } from '../session/session.js';

export type AnySession = Session<any, never, never, never>;

/** What the session of an account is made for. */
export interface NewAccount {
  /** For the option of this name: the tokens of each account need a place of their own. */
  readonly storageKey: string;
  /** The tenant of the account, if the app named it. */
  readonly tenant: string | undefined;
  /** True for the session of a user as whom another one acts: it may end with the page. */
  readonly isActing: boolean;
}

export interface AccountsOptions<S extends AnySession> {
  /**
   * Makes the session of an account. Called once for each account of the page. Make a new one at each call; return the one session of
   * your app if it has a single account, in which users act as others.
   */
  readonly session: (account: NewAccount) => S;
  /** Of how many accounts the stores are kept, the shown one included. @default 1 */
  readonly keep?: number | undefined;
  /** The header that names the tenant, with each request that carries the credential. @default none */
  readonly tenantHeader?: string | undefined;
  /** The key in local storage of the list of accounts, without tokens. False: a reload and other tabs do not know it. @default 'data-client-auth:accounts' */
  readonly storageKey?: string | false | undefined;
}

/** One signed-in user, in one tenant. Or none yet: an account that was added, and waits for a login. */
export interface Account<S = AnySession> {
  readonly id: string;
  readonly session: S;
  readonly status: SessionStatus;
  readonly user: S extends Session<infer User, never, never, never> ? User | undefined : unknown;
  /** As the app named it; else, the `tenant` of what the server says about the user. */
  readonly tenant: string | undefined;
  /** The user who acts as `user`. Of a cookie session: the `actor` of what the server says about the user. */
  readonly actor: unknown;
}

export interface AccountsSnapshot<S = AnySession> {
  readonly accounts: readonly Account<S>[];
  readonly shown: Account<S>;
  /** Those whose stores are kept, the shown one first. */
  readonly kept: readonly Account<S>[];
}

type Entry<Args extends readonly unknown[]> = (...args: Args) => Promise<unknown>;

/** Several sessions, of which one is shown. */
export interface Accounts<S = AnySession> {
  getSnapshot(): AccountsSnapshot<S>;
  getServerSnapshot(): AccountsSnapshot<S>;
  subscribe(listener: () => void): () => void;
  /** Shows another account. No effect for an id that is not in the list. */
  show(id: string): void;
  /** Shows an account without a user, for a login. It leaves the list if another one is shown before. */
  add(): void;
  /**
   * Shows the user of now in another tenant: with a store of its own, and `tenantHeader`.
   *
   * @param exchange Gets the credential for that tenant from the server, in the shape of the login's answer. Of a cookie session: changes
   * the cookie, alone in all tabs, as a login does. Called with the further arguments. @default the tenant has the same credential
   * @throws what `exchange` threw; TypeError when the tokens of the account are in memory and there is no `exchange`.
   */
  showTenant<Args extends readonly unknown[]>(tenant: string, exchange?: Entry<Args>, ...args: Args): Promise<void>;
  /**
   * Acts as another user: the shown account stays signed in, and is that of the actor.
   *
   * @param entry Asks the server for it, as the user of now, and returns what a login returns: of a token session an answer with tokens
   * (RFC 8693, section 4.1). Of a cookie session the browser has the other user's cookie then; it runs alone in all tabs, as a login does.
   * Called with the further arguments.
   * @throws what `entry` threw; TypeError while acting already.
   * @example
   * await accounts.actAs(actAs, { user: 'bob' });
   */
  actAs<Args extends readonly unknown[]>(entry: Entry<Args>, ...args: Args): Promise<void>;
  /**
   * Goes back to the actor, without a password. Of a token session: the other user's session is ended by the `logout` option.
   *
   * @param entry Of a cookie session: asks the server for it. It runs alone in all tabs, as a login does.
   * @throws what `entry`, or the `logout` option, threw. No effect while no user acts as another.
   */
  stopActing<Args extends readonly unknown[]>(entry?: Entry<Args>, ...args: Args): Promise<void>;
}

/** An account as the list keeps it. */
interface Stored {
  readonly key: string;
  readonly tenant?: string | undefined;
  /** The id of the actor's account. */
  readonly actor?: string | undefined;
}

/** Another program may have written it. */
interface StoredList {
  readonly list?: unknown;
  readonly shown?: string;
}

interface Item<S> extends Stored {
  readonly id: string;
  readonly session: S;
  readonly core: SessionCore;
}

const SHARED = 'The `session` of createAccounts() has to make a new session at each call.';
const ACTING = 'Call stopActing() first.';
const NO_ENTRY = 'Pass stopActing() a request that gives the cookie back to the actor.';
const NO_EXCHANGE = "Pass showTenant() an `exchange`, or use `storage: 'local'`.";
const NO_TENANT = 'After showTenant(), `whoami` names another `tenant`, or none.';

/**
 * Holds several sessions, of which one is shown: the accounts of several users, one user in several tenants, or a user who acts as another
 * one. An identity is the subject with its tenant and its actor: each has its own session or epoch, and its own store.
 *
 * - A sign-out ends its account, and the one that was shown before it is shown. The others, and their requests, go on.
 * - A sign-out while acting signs the actor out, too, so that no sign-in is left by accident. `stopActing()` goes back.
 * - Other tabs follow, where the accounts have `storage: 'local'` or a cookie.
 *
 * @throws TypeError when two accounts get the same session.
 * @example
 * export const accounts = createAccounts({
 *   session: ({ storageKey }) => createTokenSession({ login, refresh, logout, storage: { in: 'local', key: storageKey } }),
 *   keep: 2,
 * });
 */
export function createAccounts<S extends AnySession>(options: AccountsOptions<S>): Accounts<S> {
  const { keep = 1, tenantHeader, storageKey = `${DEFAULT_NAME}:accounts` } = options;
  const listeners = new Set<() => void>();
  let items: readonly Item<S>[] = [];
  /** The last shown first. */
  let recent = items;
  let storedText: string | undefined;
  /** The accounts in that list. */
  let storedIds: readonly string[] = [];
  let storedShown: string | undefined;
  let isUpdating = false;
  items = recent = [make({ key: DEFAULT_NAME })];
  const serverSnapshot = describe();
  let snapshot = serverSnapshot;

  function make(stored: Stored): Item<S> {
    const { key, tenant, actor } = stored;
    const session = options.session({ storageKey: key, tenant, isActing: actor !== undefined });
    const core = sessionCore(session);
    if (items.some(item => item.core === core)) throw new TypeError(SHARED);
    core.use(() => ({
      attach: ({ init }, credential) =>
        credential === undefined || !tenantHeader || tenant === undefined
          ? init
          : attachHeader(init, tenantHeader, tenant),
      identify: ({ user }) => {
        const { tenant, actor } = claimsOf(user);
        // Tokens of another user, or for another tenant, are another session's.
        if (!core.mechanism.gate || (tenant === undefined && actor === undefined)) return {};
        return { tenant: JSON.stringify([tenant, idOf(actor) ?? actor]) };
      },
    }));
    core.subscribeToSnapshot(update);
    return { ...stored, id: idOfItem(stored), session, core };
  }

  /** A locked screen is for the same user's sign-in: the one who acts has another password. */
  const isOver = ({ core, actor }: Item<S>): boolean =>
    core.getSnapshot().status === 'anonymous' || (core.getSnapshot().status === 'locked' && actor !== undefined);
  const find = (id: string | undefined) => items.find(item => item.id === id);
  const shown = () => recent[0]!;
  const newKey = () => `${DEFAULT_NAME}.${Math.random().toString(36).slice(2)}`;

  function bring(item: Item<S>): void {
    if (!items.includes(item)) items = [...items, item];
    recent = [item, ...recent];
    update();
  }

  /** What ends with an account: the other tenants of the sign-in, the actor who has signed out, and who acts without an actor. */
  function endTogether(): void {
    for (const item of items.filter(one => !isOver(one))) {
      const ended = items.filter(isOver).map(({ core, ...one }) => ({ ...one, ...core.getSnapshot() }));
      const isSignInOver = ended.some(({ key, reason }) => key === item.key && reason);
      const hasSignedOut = ended.some(({ actor, reason }) => actor === item.id && /signed-out|idle/.test(reason!));
      const actor = find(item.actor);
      if (isSignInOver) item.core.leave('elsewhere');
      else if (hasSignedOut || (item.actor !== undefined && (!actor || isOver(actor)))) void item.core.logout();
      // What comes before in the list may end with this one.
      else continue;
      return endTogether();
    }
  }

  function update(): void {
    if (isUpdating) return;
    isUpdating = true;
    endTogether();
    isUpdating = false;
    const last = shown();
    const { reason } = last.core.getSnapshot();
    const others = items.filter(item => item !== last && !isOver(item));
    if (isOver(last) && (last.actor !== undefined || /signed-out|elsewhere/.test(reason!))) {
      const isActor = ({ id }: Item<S>) => id === last.actor;
      const next = others.find(isActor) ?? recent.find(item => others.includes(item)) ?? others[0];
      // No user is signed in any more: the actor's own account has the outcome of the sign-out, and no tenant is left.
      if (next) recent = [next, ...recent];
      else recent = [items.find(isActor) ?? (last.tenant === undefined ? last : make({ key: newKey() }))];
      items = next ? others : recent;
    } else items = items.filter(item => item === last || !isOver(item));
    recent = [...new Set(recent)].filter(item => items.includes(item));
    snapshot = describe();
    // Another tab reads the tokens of an account when it is in the list.
    void Promise.all(items.map(({ core }) => core.authCallsSettled())).then(write);
    notifyListeners(listeners);
    // The name of an account that is not shown comes from its storage. A cookie asks the server below its provider.
    if (listeners.size > 0) for (const { core } of items) if (!core.mechanism.gate) void core.ready();
  }

  function describe(): AccountsSnapshot<S> {
    const accounts = items.map(({ id, core, session, tenant, actor }): Account<S> => {
      const { user, status } = core.getSnapshot();
      const told = claimsOf(user);
      return {
        id,
        session,
        status,
        user: user as Account<S>['user'],
        tenant: tenant ?? told.tenant,
        actor: actor === undefined ? told.actor : find(actor)?.core.getSnapshot().user,
      };
    });
    const kept = recent.slice(0, Math.max(1, keep)).map(item => accounts[items.indexOf(item)]!);
    return { accounts, shown: kept[0]!, kept };
  }

  // Other tabs, and the next page.

  // Denied, or full: the list ends with the page.
  const readStorage = () =>
    storageKey === false ? undefined : tryOrUndefined(() => globalThis.localStorage.getItem(storageKey));

  /** What other tabs can find, too: they take an account whose sign-in they do not find out of the list. */
  const isShared = ({ core, id }: Item<S>) =>
    core.getOwner() ? core.sharesSignIn() : storedIds.includes(id) && core.getSnapshot().status === 'restoring';

  function write(): void {
    const shared = items.filter(isShared);
    const list = shared.map(({ key, tenant, actor }) => ({ key, tenant, actor }));
    // A login form of this tab is no other tab's.
    if (isShared(shown())) storedShown = shown().id;
    const text = JSON.stringify({ list, shown: storedShown });
    if (storageKey === false || text === storedText || !(storedText ?? list[0])) return;
    storedText = text;
    storedIds = shared.map(({ id }) => id);
    tryOrUndefined(() => globalThis.localStorage.setItem(storageKey, text));
  }

  function read(): void {
    const text = readStorage();
    const { list, shown: stored } = tryOrUndefined(() => JSON.parse(text!) as StoredList | null) ?? {};
    if (text === storedText || !Array.isArray(list) || list.length === 0) return;
    storedText = text!;
    storedShown = stored;
    const listed = (list as readonly Stored[]).map(one => find(idOfItem(one)) ?? make(one));
    const gone = items.filter(item => isShared(item) && !listed.includes(item));
    items = [...listed, ...items.filter(item => !listed.includes(item) && item.core.getOwner() && !isShared(item))];
    storedIds = listed.map(({ id }) => id);
    bring(find(stored) ?? items.find(item => recent.includes(item)) ?? items[0]!);
    // Another tab has signed it out, or has stopped acting.
    for (const { core } of gone) if (core.getOwner()) core.leave('elsewhere');
  }

  const onStorage = ({ key }: StorageEvent) => {
    if (key === storageKey) read();
  };

  // What the app calls.

  /** Sends as the user of now, and makes an account of what the server answers. */
  async function exchange<Args extends readonly unknown[]>(
    given: Omit<Stored, 'key'>,
    entry: Entry<Args>,
    args: Args,
  ): Promise<void> {
    const { core } = shown();
    const signal = core.getIdentitySignal();
    const result = await untilAborted(signal, ownCall(entry, () => core)(...args));
    const item = make({ ...given, key: newKey() });
    await item.core.enter(result);
    if (!signal.aborted && shown().core === core) return bring(item);
    // The user has left meanwhile, and the new session is of no use.
    await item.core.logout();
    throw new IdentityChangedError();
  }

  /** Runs the app's own request as a login of the cookie. */
  async function enterCookie<Args extends readonly unknown[]>(entry: Entry<Args>, args: Args): Promise<void> {
    const { core } = shown();
    const own = ownCall(entry, () => core, 'login');
    await core.loginBy(() => own(...args));
    update();
  }

  read();
  return {
    getSnapshot: () => snapshot,
    getServerSnapshot: () => serverSnapshot,
    subscribe(listener) {
      const remove = addListener(listeners, listener);
      if (listeners.size === 1) {
        globalThis.addEventListener?.('storage', onStorage);
        read();
        update();
      }
      return () => {
        remove();
        if (listeners.size === 0) globalThis.removeEventListener?.('storage', onStorage);
      };
    },
    show(id) {
      const item = find(id);
      if (item && item !== shown()) bring(item);
    },
    add() {
      if (!isOver(shown())) bring(make({ key: newKey() }));
    },
    async showTenant(tenant, entry, ...args) {
      const { core, key, actor } = shown();
      if (entry && core.mechanism.gate) {
        await enterCookie(entry, args as never);
        if (snapshot.shown.tenant === tenant) return;
        // The rows of one tenant must not stay under the other one's cookie.
        core.expire();
        throw new TypeError(NO_TENANT);
      }
      const subject = core.getSubject();
      const isSameUser = (item: Item<S>) =>
        item.key === key || (subject !== undefined && item.core.getSubject() === subject);
      const known = items.find(item => item.tenant === tenant && item.actor === actor && isSameUser(item));
      if (known) return bring(known);
      if (entry) return exchange({ tenant, actor }, entry, args as never);
      if (!core.sharesSignIn()) throw new TypeError(NO_EXCHANGE);
      bring(make({ key, tenant, actor }));
    },
    async actAs(entry, ...args) {
      const { core, tenant, id } = shown();
      if (snapshot.shown.actor !== undefined) throw new TypeError(ACTING);
      return core.mechanism.gate ? enterCookie(entry, args) : exchange({ tenant, actor: id }, entry, args);
    },
    async stopActing(entry, ...args) {
      const last = shown();
      if (snapshot.shown.actor === undefined) return;
      if (last.core.mechanism.gate) {
        if (!entry) throw new TypeError(NO_ENTRY);
        return enterCookie(entry, args as never);
      }
      // All tenants of the other user leave the list first, so that their end ends nothing else.
      const acting = items.filter(({ actor }) => actor !== undefined && actor === last.actor);
      items = items.filter(item => !acting.includes(item));
      bring(find(last.actor) ?? items[0]!);
      await Promise.all(acting.map(({ core }) => core.logout()));
    },
  };
}

const idOfItem = ({ key, tenant }: Stored) => (tenant === undefined ? key : `${key} ${tenant}`);

/** What a server says about the user beside the identity: of a cookie, who acts, and in which tenant. */
const claimsOf = (user: unknown) => (user ?? {}) as { tenant?: string; actor?: unknown };

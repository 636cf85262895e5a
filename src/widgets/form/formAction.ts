// The actions of a form: which endpoint each one calls, with which types, and what it sends.
import { useController } from '@data-client/react';
import { getOrCreate } from '../../getOrCreate.js';
import { isDevelopment } from '../../isDevelopment.js';
import type { AskedQuestion } from '../../permissions/PermissionAnswers.js';
import {
  assertResource,
  paramsKey,
  pathParams,
  withoutSearch,
  type AnswerOf,
  type ArgsOf,
  type CreateBodyOf,
  type ItemOf,
  type LooseEndpoint,
  type LooseParams,
  type ParamsOf,
  type RequiredParams,
} from '../shared/resource.js';
import { sendEdit, toFilledCreateEndpoint } from '../shared/answeredRecord.js';
import { useReportedWrites } from '../shared/reportedRequests.js';
import { changedFields, toFormValues, toRequestBody } from './fieldValues.js';
import type { FormField, FormValues } from './FormField.js';

/** The actions of every resource. `push` and `unshift` create, the others edit. */
type StandardAction = 'push' | 'unshift' | 'update' | 'partialUpdate';

type HookOf<A extends string> = A extends 'push' | 'unshift' ? 'useGetList' : `use${Capitalize<A>}`;

/**
 * What a form can do with a hookified resource: `push` and `unshift` to its list, and every endpoint that changes something. An endpoint
 * `changePassword` of your own is the action `'changePassword'`.
 */
export type FormAction<R> =
  | (R extends { readonly useGetList: unknown } ? 'push' | 'unshift' : never)
  | {
      [K in keyof R]: K extends `use${infer Name}`
        ? R[K] extends () => { readonly sideEffect: true }
          ? Exclude<Uncapitalize<Name>, 'delete'>
          : never
        : never;
    }[keyof R];

/** The record of a resource: of `get`, else a row of its list. */
type RecordOf<R> = R extends { useGet: unknown } ? AnswerOf<R, 'useGet'> : ItemOf<R>;

/** The last argument of an endpoint with a body. `any` stays `any`. */
type LastArgument<Args> = Args extends readonly [...unknown[], infer Body] ? Body : never;

/** The bodies that have fields. */
type FieldsOf<Body> = Exclude<Body, FormData | readonly unknown[] | undefined>;

/** The body that the resource declares for a creation or an edit. `any` declares nothing. */
type DeclaredBody<R, A extends StandardAction> = IfDeclared<
  A extends 'push' | 'unshift' ? CreateBodyOf<R> : LastArgument<ArgsOf<R, HookOf<A>>>
>;
type IfDeclared<Body> = 0 extends 1 & Body ? never : FieldsOf<Body>;

/**
 * The objects whose fields a form has: the record and the declared body, or the body of an action of the app's own. A body may have more
 * fields than the record, such as the password of a new user.
 */
export type FormSubject<R, A extends string> = A extends StandardAction
  ? RecordOf<R> | DeclaredBody<R, A>
  : FieldsOf<LastArgument<ArgsOf<R, HookOf<A>>>>;

/** Distributes over the actions, so that a union of actions takes the params of each. */
export type FormParams<R, A extends string> = A extends StandardAction
  ? Exclude<ParamsOf<R, HookOf<A>>, null>
  : ArgsOf<R, HookOf<A>> extends infer Args
    ? Args extends readonly [infer Params, unknown]
      ? Params
      : never
    : never;

/** Makes `params` a required prop where the path of the action needs them. */
export type RequiredFormParams<R, A extends string> = [A] extends [never] ? unknown : RequiredBy<R, A>;

type RequiredBy<R, A extends string> = A extends StandardAction
  ? RequiredParams<R, HookOf<A>>
  : ArgsOf<R, HookOf<A>> extends readonly [unknown, unknown]
    ? { readonly params: FormParams<R, A> }
    : unknown;

/** What `onSuccess` gets: the record, or what an endpoint of the app's own resolves with. */
export type FormResult<R, A extends string> = A extends StandardAction ? RecordOf<R> : AnswerOf<R, HookOf<A>>;

/**
 * The endpoint that the action calls.
 *
 * @throws TypeError when the resource has no endpoint for the action.
 */
export function useActionEndpoint(resource: object, action: string): LooseEndpoint {
  if (isDevelopment) {
    assertResource(resource);
    if (typeof action !== 'string') throw new TypeError(NO_ACTION);
  }
  const creates = isCreation(action);
  const hook = creates ? 'useGetList' : `use${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  const endpoint = (resource as Partial<Record<string, () => LooseEndpoint>>)[hook]?.();
  if (!endpoint)
    throw new TypeError(
      isDevelopment
        ? `The resource has no endpoint for the action "${action}". ${describeActions(resource)}`
        : `The resource has no endpoint for the action "${action}".`,
    );
  return creates ? toCreateEndpoint(endpoint[action]) : endpoint;
}

/** What `action` may be, for developers. */
function describeActions(resource: object): string {
  const hooks = Object.keys(resource).filter(name => /^use(?!Get|GetList|Delete$)[A-Z]/.test(name));
  if (!('useGetList' in resource) && hooks.length === 0)
    return 'Give ResourceForm a hookified resource: pass hookifyResource(resource).';
  const others = hooks.map(hook => hook.charAt(3).toLowerCase() + hook.slice(4));
  const names = [...('useGetList' in resource ? ['push', 'unshift'] : []), ...others];
  return `This one has: ${names.join(', ')}.`;
}

const NO_ACTION =
  'ResourceForm needs the prop `action`: push, unshift, update, partialUpdate, or the name of another endpoint that changes something.';

const createEndpoints = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * `push` or `unshift` for a list with search params. The new row joins the list with exactly these params, but the URL holds the path's
 * params only. The same endpoint for the same `addEndpoint`.
 */
export function toCreateEndpoint(addEndpoint: LooseEndpoint): LooseEndpoint {
  const { url } = addEndpoint;
  return getOrCreate(createEndpoints, addEndpoint, () =>
    addEndpoint.extend({
      url(this: LooseEndpoint, params: LooseParams) {
        return url.call(this, pathParams(addEndpoint, params));
      },
    }),
  );
}

/**
 * The key of a form's text: what its request is for. The headers of the endpoint are a part of it, because they may name the
 * tenant, and record 1 of one tenant is not record 1 of another. The credential is not among them.
 */
export function createDraftKey(action: string | undefined, endpoint: LooseEndpoint, params: LooseParams): string {
  return JSON.stringify([action, endpoint.name, paramsKey(params), endpoint.requestInit?.headers]);
}

/**
 * Returns the function that creates a record, and resolves with it. If the server does not say which record it has created, the promise
 * resolves with what was sent. Then, and where the list has no Collection that the record could join, the lists at the same path are fetched
 * again. A failure is reported.
 *
 * @param endpoint From `toCreateEndpoint`.
 * @param asked The permission for the creation.
 */
export function useCreate(endpoint: LooseEndpoint, asked: AskedQuestion) {
  const controller = useController();
  const reportedWrite = useReportedWrites();
  return (params: LooseParams, body: unknown): Promise<unknown> =>
    reportedWrite(endpoint, asked, async () => {
      let isUnknown = false;
      const filled = toFilledCreateEndpoint(endpoint, () => (isUnknown = true));
      const row: unknown = await controller.fetch(filled, params, body);
      if (!isUnknown && endpoint.schema) return row;
      const list = withoutSearch(`GET ${endpoint.url(params)}`);
      await controller.expireAll({ testKey: key => withoutSearch(key) === list });
      return isUnknown ? body : row;
    });
}

interface SendRecordOptions {
  action: string;
  endpoint: LooseEndpoint;
  params: LooseParams;
  /** The newest record. Undefined while it is loaded, and for a new one. */
  initial: object | undefined;
  /** Reads the record, where the resource can. */
  get: LooseEndpoint | undefined;
  /** The question whether the user may do this: a 403 is a new answer. */
  asked: AskedQuestion;
  /** Fields that the user may not change are not sent. */
  denied: ReadonlyMap<string, unknown>;
}

/**
 * Returns the function that sends what the user has changed, and resolves with the server's answer; with the initial record
 * when there is nothing to send.
 */
export function useSendRecord({ action, endpoint, params, initial, get, asked, denied }: SendRecordOptions) {
  const controller = useController();
  const create = useCreate(endpoint, asked);
  const reportedWrite = useReportedWrites();
  /** @param changed The fields that the user has changed. */
  return async (values: FormValues, changed: readonly FormField[], fields: readonly FormField[]): Promise<unknown> => {
    // An update compares the values of the inputs, not of the record: a null, or a number stored as text, looks
    // different in an input without being a change.
    const differing = () => changedFields(fields, values, toFormValues(fields, initial));
    const meant = action === 'update' ? differing() : isEdit(action) ? changed : fields;
    const sent = meant.filter(({ name }) => !denied.has(name));
    if (action === 'partialUpdate' && sent.length === 0) return initial;
    const body = toRequestBody(fields, values, { sent, initial, base: action === 'update' ? initial : undefined });
    if (isCreation(action)) return create(params, body);
    return reportedWrite(endpoint, asked, () =>
      isEdit(action)
        ? sendEdit(controller, { endpoint, params: pathParams(endpoint, params), body, record: initial, get })
        : (controller.fetch(endpoint, params, body) as Promise<unknown>),
    );
  };
}

export function isCreation(action: string): action is 'push' | 'unshift' {
  return action === 'push' || action === 'unshift';
}

/** True for the actions that change a record, whose values the form shows. */
export function isEdit(action: string): action is 'update' | 'partialUpdate' {
  return action === 'update' || action === 'partialUpdate';
}

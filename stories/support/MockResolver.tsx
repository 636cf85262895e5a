import { ControllerContext, useController, type EndpointInterface } from '@data-client/react';
import { useMemo, type ReactNode } from 'react';

/** A response for one call of an endpoint. */
export interface Fixture {
  endpoint: Pick<EndpointInterface, 'key'>;
  args: readonly unknown[];
  response: unknown;
}

interface FetchAction {
  type: string;
  key?: string;
  meta?: { key?: string };
  endpoint: { extend(options: { fetch: () => Promise<unknown> }): unknown };
}

/**
 * Replaces `MockResolver` of `@data-client/test`, which cannot be installed with data-client 0.10. It is below the store, and answers a
 * fetch with a fixture: the `dispatch` of its controller replaces the function that sends. In 0.10 this is the payload of the action, in
 * later versions the endpoint.
 *
 * @see https://dataclient.io/docs/api/MockResolver
 */
export function MockResolver({ fixtures, children }: { fixtures: readonly Fixture[]; children: ReactNode }) {
  const controller = useController();
  const mocked = useMemo(() => {
    const responses = new Map(fixtures.map(({ endpoint, args, response }) => [endpoint.key(...args), response]));
    const dispatch = (action: FetchAction) => {
      const key = action.key ?? action.meta?.key ?? '';
      const isMocked = /fetch$/.test(action.type) && responses.has(key);
      const fetch = async () => responses.get(key);
      const next = isMocked ? { ...action, payload: fetch, endpoint: action.endpoint.extend({ fetch }) } : action;
      return controller.dispatch(next as Parameters<typeof controller.dispatch>[0]);
    };
    const Controller = controller.constructor as new (options: object) => typeof controller;
    return new Controller({ ...controller, dispatch });
  }, [controller, fixtures]);
  return <ControllerContext.Provider value={mocked}>{children}</ControllerContext.Provider>;
}

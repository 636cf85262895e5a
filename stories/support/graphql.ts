import { http, HttpResponse } from 'msw';
import type { SessionFetch } from '../../src/index.js';
import type { MockAuth } from '../../src/testing/index.js';

interface Answer {
  data?: { me: { name: string } };
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Refuses a credential with status 200 and an error in the body, as GraphQL servers do. */
export function graphqlHandler(auth: MockAuth, url: string) {
  return http.post(`${url}/graphql`, ({ request, cookies }) => {
    const refused = auth.authorize({ request, cookies });
    return HttpResponse.json<Answer>(
      refused
        ? { errors: [{ message: 'Sign in first.', extensions: { code: 'UNAUTHENTICATED' } }] }
        : { data: { me: { name: auth.personOf({ request, cookies })?.name ?? '' } } },
    );
  });
}

async function isRefused(response: Response): Promise<boolean> {
  if (!response.ok) return false;
  const { errors = [] } = (await response.json()) as Answer;
  return errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
}

/** Sends a query, and returns what the server answers. */
export async function query(fetch: SessionFetch, url: string, text: string): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text }),
    isRefused,
  });
  return (await response.json()) as Answer;
}

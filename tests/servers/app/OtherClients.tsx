import createClient from 'openapi-fetch';
import { useMemo, useState, type ReactNode } from 'react';
import { Authenticated, useSessionFetch } from '../../../src/index.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { Notes, SignOut, AuthStatus } from './DemoApp.js';

/** What openapi-typescript would write of the server. */
interface paths {
  '/api/note/{id}': {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { 'application/json': { title: string } } } };
    };
  };
}

interface GraphqlAnswer {
  data?: { me: string } | null;
  errors?: { extensions?: { code?: string } }[];
}

const TEN = Array.from({ length: 10 }, (_, index) => String(index + 1));
const FILE_BYTES = 3 * 1024 * 1024;

const count = (settled: PromiseSettledResult<unknown>[]) =>
  ['fulfilled', 'rejected'].map(status => settled.filter(one => one.status === status).length).join(' and ');

/** The same bytes every time. */
function file(): Blob {
  return new Blob([Uint8Array.from({ length: FILE_BYTES }, (_, index) => (index * 31) % 251)]);
}

async function sha256(blob: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

async function isRefused(response: Response): Promise<boolean> {
  if (!response.ok) return false;
  const { errors = [] } = (await response.json()) as GraphqlAnswer;
  return errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
}

/** What other clients do, each by a button. */
function Buttons({ tell }: { tell: (what: string) => void }) {
  const fetch = useSessionFetch();
  const client = useMemo(() => createClient<paths>({ baseUrl: location.origin, fetch }), [fetch]);
  const get = Notes.useGet();
  const acts: Record<string, () => Promise<string>> = {
    'Ask ten and ten': async () => {
      const calls = TEN.map(id => client.GET('/api/note/{id}', { params: { path: { id } } }));
      return count(await Promise.allSettled([...calls, ...TEN.map(id => get({ id }))]));
    },
    'Ask by GraphQL': async () => {
      const body = JSON.stringify({ query: '{ me }' });
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch('/api/graphql', { method: 'POST', headers, body, isRefused });
      return `me: ${((await response.json()) as GraphqlAnswer).data?.me}`;
    },
    Upload: async () => {
      const body = file();
      const response = await fetch(new Request('/api/upload', { method: 'POST', body }));
      const { size, sha256: arrived } = (await response.json()) as { size: number; sha256: string };
      return `${size} bytes, ${arrived === (await sha256(body)) ? 'all of them the same' : 'changed'}`;
    },
    'Read slowly': async () => {
      const response = await fetch('/api/slow');
      tell(`${response.status}`);
      return response.text();
    },
  };
  return Object.entries(acts).map(([label, act]) => (
    <button key={label} type="button" onClick={() => void act().then(tell, (error: Error) => tell(error.name))}>
      {label}
    </button>
  ));
}

/** A page without endpoints. What came of its calls stands above the provider, and outlives every identity. */
export function OtherClients({ provide }: { provide: (page: ReactNode) => ReactNode }) {
  const [told, setTold] = useState<readonly string[]>([]);
  return (
    <>
      <output id="told">{told.join('; ')}</output>
      {provide(
        <>
          <AuthStatus />
          <Authenticated fallback={<LoginForm />}>
            <SignOut onSignOut={undefined} />
            <Buttons tell={what => setTold(before => [...before, what])} />
          </Authenticated>
        </>,
      )}
    </>
  );
}

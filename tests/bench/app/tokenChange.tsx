import { CacheProvider } from '@data-client/react';
import { memo, useState, type ComponentType, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { ContextTokenProvider, TokenAuthProvider } from '../../../src/index.js';
import { mount, painted } from './mount.js';
import { localSession, notesAt, stockNotesAt, TokenContext } from './notes.js';
import { counts, createRow, forget, items, type Item } from './rows.js';

const ROWS = items(1_000);
const Kit = notesAt('');
const Stock = stockNotesAt('');

const listOf = (Row: ComponentType<{ item: Item }>) => (
  <ul>
    {ROWS.map(item => (
      <Row key={item.id} item={item} />
    ))}
  </ul>
);

const KitRow = createRow(() => [Kit.useGet(), Kit.usePartialUpdate(), Kit.useDelete()]);
const StockRow = createRow(() => [Stock.useGet(), Stock.usePartialUpdate(), Stock.useDelete()]);
const kitRows = listOf(memo(KitRow));
const stockRows = listOf(memo(StockRow));

/** Whoever holds the token above the rows. */
function Holder({
  handle,
  within,
}: {
  handle: { give: (token: string) => void };
  within: (token: string) => ReactNode;
}) {
  const [token, setToken] = useState('one');
  handle.give = next => flushSync(() => setToken(next));
  return within(token);
}

/** How many of 1,000 memo rows are rendered again when the same person gets another token. */
export async function tokenChange() {
  const rowsRendered = async (content: ReactNode, change: () => unknown) => {
    const { unmount } = mount(content);
    await painted();
    if (counts.rows < ROWS.length) throw new Error('The rows were not rendered.');
    forget();
    await change();
    await painted();
    unmount();
    const { rows } = counts;
    return forget() && rows;
  };

  const session = localSession();
  await session.login('ada');
  const handle = { give: (_token: string) => {} };
  const give = () => handle.give('two');
  forget();
  const stock = await rowsRendered(
    <CacheProvider>
      <Holder
        handle={handle}
        within={token => <TokenContext.Provider value={token}>{stockRows}</TokenContext.Provider>}
      />
    </CacheProvider>,
    give,
  );
  return {
    'data-client-auth': {
      refresh: await rowsRendered(<TokenAuthProvider session={session}>{kitRows}</TokenAuthProvider>, () =>
        session.refresh(),
      ),
      change: await rowsRendered(
        <Holder
          handle={handle}
          within={token => (
            <ContextTokenProvider token={token} subject="ada">
              {kitRows}
            </ContextTokenProvider>
          )}
        />,
        give,
      ),
    },
    'stock context pattern': { refresh: stock, change: stock },
  };
}

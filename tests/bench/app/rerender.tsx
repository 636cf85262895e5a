import { CacheProvider } from '@data-client/react';
import { createContext, useContext, useState, type ComponentType, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { TokenAuthProvider } from '../../../src/index.js';
import { compare, type Rounds } from './compare.js';
import { mount, until } from './mount.js';
import { localSession, notesAt, plainNotesAt, stockNotesAt, TokenContext } from './notes.js';
import { counts, createRow, forget, items, type Item } from './rows.js';

const Kit = notesAt('');
const Plain = plainNotesAt('');
const Stock = stockNotesAt('');

const KitRow = createRow(() => [Kit.useGet(), Kit.usePartialUpdate(), Kit.useDelete()]);
const PlainRow = createRow(() => [Plain.get, Plain.partialUpdate, Plain.delete]);
const StockRow = createRow(() => [Stock.useGet(), Stock.usePartialUpdate(), Stock.useDelete()]);

/** What React itself takes for hooks that depend on a provider. */
const AnyContext = createContext('');
const ReadingRow = createRow(() => {
  useContext(AnyContext);
  useContext(AnyContext);
  useContext(AnyContext);
  return [Plain.get, Plain.partialUpdate, Plain.delete];
});

interface TableProps {
  rows: readonly Item[];
  Row: ComponentType<{ item: Item }>;
  handle: { rerender: () => void };
}

function Table({ rows, Row, handle }: TableProps) {
  const [, setRenders] = useState(0);
  handle.rerender = () => flushSync(() => setRenders(renders => renders + 1));
  return (
    <ul>
      {rows.map(item => (
        <Row key={item.id} item={item} />
      ))}
    </ul>
  );
}

/** A parent renders its rows again, and nothing else has changed: how long that takes, and what below the rows is run again. */
export async function rerender(count: number, rounds: Rounds) {
  const rows = items(count);
  const session = localSession();
  await session.login('ada');
  const table = async (Row: TableProps['Row'], within: (table: ReactNode) => ReactNode) => {
    const handle = { rerender: () => {} };
    const mounted = mount(within(<Table rows={rows} Row={Row} handle={handle} />));
    await until(mounted.element, () => mounted.element.querySelectorAll('li').length === count);
    return { ...handle, unmount: mounted.unmount };
  };
  const tables = {
    'plain rows': await table(PlainRow, rows => <CacheProvider>{rows}</CacheProvider>),
    'data-client-auth': await table(KitRow, rows => <TokenAuthProvider session={session}>{rows}</TokenAuthProvider>),
    'plain rows with three useContext': await table(ReadingRow, rows => <CacheProvider>{rows}</CacheProvider>),
    'stock hookifyResource': await table(StockRow, rows => (
      <CacheProvider>
        <TokenContext.Provider value="ada">{rows}</TokenContext.Provider>
      </CacheProvider>
    )),
  };
  const again: Record<string, { buttons: number; effects: number }> = {};
  const timed = Object.entries(tables).map(([name, { rerender }]) => [
    name,
    () => {
      forget();
      const start = performance.now();
      rerender();
      const ms = performance.now() - start;
      again[name] = { buttons: counts.buttons, effects: counts.effects };
      if (counts.rows !== count) throw new Error(`${counts.rows} of ${count} rows were rendered again.`);
      return ms;
    },
  ]);
  const samples = await compare(Object.fromEntries(timed) as Record<string, () => number>, rounds);
  Object.values(tables).forEach(({ unmount }) => unmount());
  return { samples, again };
}

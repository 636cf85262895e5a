type Fields = Readonly<Record<string, unknown>>;

/** The rows of a mock resource, and the queries for them. */
export interface Table<Row extends object> {
  readonly rows: readonly Row[];
  idOf(row: Row): string;
  /** Returns the rows whose fields equal the values. Several values of one name are alternatives. Ignores names that no row has as a field. */
  filter(values: readonly (readonly [string, string])[]): Row[];
  insert(fields: Fields): Row;
  replace(row: Row, fields: Fields): Row;
  remove(row: Row): void;
  reset(): void;
}

/** Creates a table in memory with a copy of the given rows. `key` is the field that the last token of the path names. */
export function createTable<Row extends object>(given: readonly Row[], key: string): Table<Row> {
  const field = (row: Row, name: string) => (row as Fields)[name];
  const initial = structuredClone(given);
  let rows = initial;
  const isField = (name: string) => name === key || [...rows, ...initial].some(row => name in row);
  let highest = 0;

  function newId(): string | number {
    const ids = [...rows, ...initial].map(row => field(row, 'id'));
    // Never reuse the id of a deleted row: a client that still caches the old row would confuse the two.
    highest = Math.max(highest, ...ids.map(Number).filter(Number.isFinite)) + 1;
    return ids.some(id => typeof id === 'number') ? highest : String(highest);
  }

  return {
    get rows() {
      return rows;
    },
    idOf: row => String(field(row, key)),
    filter(values) {
      const names = [...new Set(values.map(([name]) => name))].filter(isField);
      return rows.filter(row =>
        names.every(name => values.some(([other, value]) => other === name && String(field(row, name)) === value)),
      );
    },
    insert(fields) {
      const id = newId();
      const row = { [key]: id, ...fields, ...(isField('id') ? { id } : {}) } as Row;
      rows = [...rows, row];
      return row;
    },
    replace(row, fields) {
      const next = fields as Row;
      rows = rows.map(one => (one === row ? next : one));
      return next;
    },
    remove(row) {
      rows = rows.filter(one => one !== row);
    },
    reset() {
      rows = initial;
      highest = 0;
    },
  };
}

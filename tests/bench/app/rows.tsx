import { memo, useEffect } from 'react';

export interface Item {
  readonly id: string;
  readonly title: string;
}

export const items = (count: number): Item[] =>
  Array.from({ length: count }, (_, place) => ({ id: `${place}`, title: `Note ${place}` }));

/** What was rendered and run again since `forget`. */
export const counts = { rows: 0, buttons: 0, effects: 0 };
export const forget = () => Object.assign(counts, { rows: 0, buttons: 0, effects: 0 });

const Button = memo(function Button({ label }: { endpoint: unknown; label: string }) {
  counts.buttons++;
  return <button type="button">{label}</button>;
});

/** A row with three endpoints: an effect that depends on them, and a memo child for each. */
export const createRow = (useEndpoints: () => readonly [unknown, unknown, unknown]) =>
  function Row({ item }: { item: Item }) {
    const [get, update, remove] = useEndpoints();
    counts.rows++;
    useEffect(() => {
      counts.effects++;
    }, [get, update, remove]);
    return (
      <li>
        {item.title}
        <Button endpoint={get} label="Open" />
        <Button endpoint={update} label="Save" />
        <Button endpoint={remove} label="Delete" />
      </li>
    );
  };

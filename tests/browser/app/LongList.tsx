import { useRef, useState, type ReactNode } from 'react';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { PaginatedList } from '../../../src/entries/widgets.js';

class Row extends Entity {
  id = '';
  title = '';
}

const Rows = hookifyResource(resource({ path: '/row/:id', schema: Row, paginationField: 'page' }));

/** A row that has its edit state itself, as a list of few rows may have it. */
function EditableRow({ row, remove }: { row: Row; remove: () => void }) {
  const [isEdited, setEdited] = useState(false);
  return (
    <>
      <span>{row.title}</span>
      <button type="button" onClick={remove}>
        Delete {row.id}
      </button>
      <button type="button" onClick={() => setEdited(!isEdited)}>
        {isEdited ? 'Cancel' : 'Edit'} {row.id}
      </button>
      {isEdited && <input aria-label={`Title of ${row.id}`} defaultValue={row.title} />}
    </>
  );
}

const renderRow = (row: Row, { remove }: { remove: () => Promise<boolean> }): ReactNode => (
  <EditableRow row={row} remove={() => void remove()} />
);

/** In a wide window, `#frame` scrolls; in a narrow one, the page does. So does `#frame` in a short one, which changes no width. */
const STYLE = `
  body { margin: 0 }
  .dca-items { margin: 0; padding: 0 }
  @media (min-width: 800px), (max-height: 400px) { #frame[data-scrolls] { block-size: 300px; overflow-y: auto } }
`;

/**
 * A list of all rows of the server. `long` names what is around it: `page`, `frame`, `dialog` or `hidden`. `all` renders each row, and `look` is
 * CSS.
 */
export default function LongList({ search }: { search: URLSearchParams }) {
  const [kind, setKind] = useState('');
  const [isHidden, setHidden] = useState(true);
  const dialog = useRef<HTMLDialogElement>(null);
  const around = search.get('long');
  const list = (
    <PaginatedList
      resource={Rows}
      label="Rows"
      params={kind ? { kind } : {}}
      virtual={!search.has('all')}
      renderItem={renderRow}
    />
  );
  return (
    <>
      <style>{STYLE + (search.get('look') ?? '')}</style>
      <button type="button" onClick={() => setKind('other')}>
        Other rows
      </button>
      <button type="button" onClick={() => (around === 'dialog' ? dialog.current?.showModal() : setHidden(!isHidden))}>
        {around === 'dialog' || isHidden ? 'Show' : 'Hide'}
      </button>
      {around === 'dialog' ? (
        <dialog ref={dialog} id="frame" style={{ blockSize: '500px', overflow: 'auto' }}>
          {list}
        </dialog>
      ) : (
        <div id="frame" hidden={around === 'hidden' && isHidden} data-scrolls={around === 'frame' ? '' : undefined}>
          {list}
        </div>
      )}
    </>
  );
}

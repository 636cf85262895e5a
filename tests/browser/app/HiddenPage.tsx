import { lazy, Suspense, useState, type ComponentType } from 'react';
import { useFreshSnapshot } from '../../../src/providers/useFreshSnapshot.js';

/** A source that tells a hidden page nothing: React disconnects a page that `<Activity>` hides, which only newer versions have. */
let name = 'Ada';
const subscribe = () => () => {};
const read = () => name;
let showPage = () => {};

function Name() {
  return <p id="name">{useFreshSnapshot(subscribe, read, read)}</p>;
}

/** The same element at each render, so that React has no other reason to render it. */
const page = <Name />;

/** Hides its page by loading a part of it. The source has another name when the page is shown again. */
export function HiddenPage() {
  const [Part, setPart] = useState<ComponentType>();
  const loadPart = () => {
    const loaded = new Promise<{ default: ComponentType }>(resolve => {
      showPage = () => resolve({ default: () => <p id="part">The part is loaded.</p> });
    });
    setPart(lazy(() => loaded));
  };
  const show = () => {
    name = 'Grace';
    showPage();
  };
  return (
    <>
      <button onClick={loadPart}>Hide</button>
      <button onClick={show}>Show</button>
      <Suspense fallback={<p id="loading">Loading…</p>}>
        {page}
        {Part && <Part />}
      </Suspense>
    </>
  );
}

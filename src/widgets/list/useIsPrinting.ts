import { useState, useSyncExternalStore } from 'react';

/**
 * True while the page is printed. By `useSyncExternalStore`: React then renders right after the event, before the browser lays the
 * pages out.
 */
export function useIsPrinting(): boolean {
  const [{ subscribe, read }] = useState(createPrinting);
  return useSyncExternalStore(subscribe, read, () => false);
}

function createPrinting() {
  let isPrinting = false;
  const subscribe = (listener: () => void) => {
    const onPrint = ({ type }: Event) => {
      isPrinting = type === 'beforeprint';
      listener();
    };
    for (const type of ['beforeprint', 'afterprint']) window.addEventListener(type, onPrint);
    return () => {
      for (const type of ['beforeprint', 'afterprint']) window.removeEventListener(type, onPrint);
    };
  };
  return { subscribe, read: () => isPrinting };
}

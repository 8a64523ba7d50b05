/** Tells whether the browser is printing the page, by its menu or by a button. */
import { useSyncExternalStore } from 'react';

let isPrinting = false;

const setPrinting = (change: () => void) => (event: Event) => {
  isPrinting = event.type === 'beforeprint';
  change();
};

function subscribe(change: () => void): () => void {
  const listener = setPrinting(change);
  addEventListener('beforeprint', listener);
  addEventListener('afterprint', listener);
  return () => {
    isPrinting = false;
    removeEventListener('beforeprint', listener);
    removeEventListener('afterprint', listener);
  };
}

export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);

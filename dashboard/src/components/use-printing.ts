// Whether the page is being printed. A printed table has every row and every column.
import { useSyncExternalStore } from 'react';

const printing = globalThis.matchMedia?.('print');

export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => printing.matches,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  printing.addEventListener('change', listener);
  return () => printing.removeEventListener('change', listener);
}

/** The row that the keyboard stands on. It begins at the top of each page; the focus follows it when keys move it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export interface RowCursor {
  /** Index of the row on the page. */
  readonly cursor: number;
  readonly setCursor: (index: number) => void;
  readonly focusRow: (index: number) => void;
  /** The next page that arrives takes the focus at its first row. */
  readonly focusNextPage: () => void;
}

export function useRowCursor(
  screen: RefObject<HTMLElement | null>,
  rows: readonly { readonly id: number }[] | undefined,
  stale: boolean,
): RowCursor {
  const first = rows?.[0]?.id;
  const [at, setAt] = useState({ first, index: 0 });
  const setCursor = useCallback((index: number) => setAt({ first, index }), [first]);
  const toFocus = useRef(false);
  const focusAt = (index: number) =>
    screen.current?.querySelector<HTMLElement>(`[data-row="${rows?.[index]?.id}"]`)?.focus();
  useEffect(() => {
    if (first === undefined || stale || !toFocus.current) return;
    toFocus.current = false;
    screen.current?.querySelector<HTMLElement>('[data-row]')?.focus();
  }, [first, stale, screen]);
  return {
    cursor: at.first === first ? at.index : 0,
    setCursor,
    focusRow: (index: number) => {
      // Of a long list only a part is in the document, and the row of the cursor wherever it is.
      flushSync(() => setCursor(index));
      focusAt(index);
    },
    focusNextPage: () => {
      toFocus.current = true;
    },
  };
}

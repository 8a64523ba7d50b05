/** Keyboard cursor of the rows. It begins at the top of each page; the focus follows it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export type RowCursor = ReturnType<typeof useRowCursor>;

export function useRowCursor(
  screen: RefObject<HTMLElement | null>,
  rows: readonly { readonly id: number }[] | undefined,
  stale: boolean,
) {
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
    /** Index of the row on the page. */
    cursor: at.first === first ? at.index : 0,
    setCursor,
    focusRow: (index: number) => {
      // Renders the row first: a long list has only a part of its rows in the document.
      flushSync(() => setCursor(index));
      focusAt(index);
    },
    /** Focuses the first row of the next page that arrives. */
    focusNextPage: () => {
      toFocus.current = true;
    },
  };
}

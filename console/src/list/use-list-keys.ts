/** Keyboard shortcuts of the list: arrows, Enter, Space, pages, `/` and `?`. Inactive while another control handles keys. */
import { type RefObject, useEffect, useEffectEvent } from 'react';

interface ListKeys {
  readonly search: () => void;
  readonly help: () => void;
  readonly moveTo: (index: number) => void;
  readonly openRow: () => void;
  readonly toggleRow: () => void;
  readonly turnPage: (step: 1 | -1) => void;
}

/** Controls that handle arrow keys themselves. */
const keyboardControls =
  'input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox], [role=menu], [role=tablist], [role=dialog], [role=toolbar] .ant-select';

export function useListKeys(
  screen: RefObject<HTMLElement | null>,
  cursor: number,
  rows: number,
  keys: ListKeys,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.closest(keyboardControls) !== null
    )
      return;
    if (
      target !== document.body &&
      screen.current?.contains(target) === false &&
      target.id !== 'main'
    )
      return;
    const act = findAction(event.key, target, { cursor, rows, keys });
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

function findAction(
  key: string,
  target: Element,
  {
    cursor,
    rows,
    keys,
  }: { readonly cursor: number; readonly rows: number; readonly keys: ListKeys },
): (() => void) | undefined {
  switch (key) {
    case '/':
      return keys.search;
    case '?':
      return keys.help;
    case 'ArrowDown':
      return () =>
        keys.moveTo(
          target.closest('[data-row]') === null ? cursor : Math.min(cursor + 1, rows - 1),
        );
    case 'ArrowUp':
      return () => keys.moveTo(Math.max(cursor - 1, 0));
    case 'Home':
      return () => keys.moveTo(0);
    case 'End':
      return () => keys.moveTo(rows - 1);
    case 'PageDown':
    case 'ArrowRight':
      return () => keys.turnPage(1);
    case 'PageUp':
    case 'ArrowLeft':
      return () => keys.turnPage(-1);
    case 'Enter':
      // Buttons and links handle Enter themselves.
      return target.hasAttribute('data-row') ? keys.openRow : undefined;
    case ' ':
      return target.hasAttribute('data-row') ? keys.toggleRow : undefined;
    default:
      return undefined;
  }
}

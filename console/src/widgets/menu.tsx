/** Button with a menu. Arrows and first letters move the focus, Enter chooses, Escape closes. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import styles from './menu.module.css';
import { Popover } from './popover.tsx';

export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Set for entries of which one is selected, like radio buttons. */
  readonly checked?: boolean;
  readonly onChoose: () => void;
}

/** Entries by button, so that the command box offers them without opening the menu. */
const entriesByButton = new WeakMap<Element, readonly MenuEntry[]>();

export const getMenuEntries = (button: Element): readonly MenuEntry[] =>
  entriesByButton.get(button) ?? [];

interface MenuProps extends ButtonProps {
  readonly entries: readonly MenuEntry[];
  /** Heading above the entries. */
  readonly heading?: ReactNode;
}

export function Menu({ entries, heading, ...button }: MenuProps) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (trigger.current !== null) entriesByButton.set(trigger.current, entries);
  });
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      placement="bottom-end"
      content={
        <>
          {heading === undefined ? null : <div className={styles['heading']}>{heading}</div>}
          <Entries
            entries={entries}
            onChosen={(entry) => {
              setOpen(false);
              entry.onChoose();
            }}
          />
        </>
      }
    >
      <Button
        {...button}
        ref={trigger}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
    </Popover>
  );
}

function Entries({
  entries,
  onChosen,
}: Pick<MenuProps, 'entries'> & { readonly onChosen: (entry: MenuEntry) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const checkedIndex = entries.findIndex(({ checked }) => checked);
  const focused = Math.max(0, checkedIndex);
  function onKeyDown(event: KeyboardEvent): void {
    const buttons = Array.from(list.current?.children ?? []) as HTMLElement[];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const to = nextIndex(event.key, at, entries);
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  }
  return (
    // Each entry is focusable.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div ref={list} role="menu" className={styles['entries']} onKeyDown={onKeyDown}>
      {entries.map((entry, index) => (
        <button
          key={entry.key}
          type="button"
          role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={entry.checked}
          tabIndex={index === 0 ? 0 : -1}
          // The panel focuses the element with `autofocus` when it opens.
          ref={index === focused ? setAutofocus : null}
          className={styles['entry']}
          onClick={() => onChosen(entry)}
        >
          {entry.icon}
          {entry.label}
        </button>
      ))}
    </div>
  );
}

const setAutofocus = (button: HTMLButtonElement | null): void =>
  button?.setAttribute('autofocus', '');

function nextIndex(key: string, at: number, entries: readonly MenuEntry[]): number | undefined {
  const last = entries.length - 1;
  if (key === 'ArrowDown') return at === last ? 0 : at + 1;
  if (key === 'ArrowUp') return at <= 0 ? last : at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...entries.keys()].map((step) => (at + 1 + step) % entries.length);
  return after.find((index) => entries[index]?.label.toLowerCase().startsWith(key.toLowerCase()));
}

/** The entries of each menu by its button, so that the command box can offer them without opening the menu. */
import type { MenuEntry } from './menu.tsx';

const entriesOfButtons = new WeakMap<Element, readonly MenuEntry[]>();

export const menuEntriesOf = (button: Element): readonly MenuEntry[] =>
  entriesOfButtons.get(button) ?? [];

export const setMenuEntries = (button: Element, entries: readonly MenuEntry[]): void =>
  void entriesOfButtons.set(button, entries);

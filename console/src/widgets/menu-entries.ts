/** Registry of menu entries by button, so that the command box offers them without opening the menu. */
import type { ReactNode } from 'react';

export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Set for entries of which one is selected, like radio buttons. */
  readonly checked?: boolean;
  readonly onChoose: () => void;
}

const entriesByButton = new WeakMap<Element, readonly MenuEntry[]>();

export const getMenuEntries = (button: Element): readonly MenuEntry[] =>
  entriesByButton.get(button) ?? [];

export const setMenuEntries = (button: Element, entries: readonly MenuEntry[]): void =>
  void entriesByButton.set(button, entries);

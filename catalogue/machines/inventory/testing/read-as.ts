/** Reads a text that one tool printed. */
import { expect } from 'vitest';
import type { InstalledPackage, InventoryFormat, Machine } from '../../machine.ts';
import { readInventory } from '../read-inventory.ts';

/** Returns the machine of a text that must be recognized completely, in one format. */
export function readAs(format: InventoryFormat, text: string): Machine {
  const { machine, understood, unreadable, unreadableLines } = readInventory(text);
  expect(unreadable).toEqual([]);
  expect(unreadableLines).toBe(0);
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  expect(understood).toEqual([{ format, lines }]);
  return machine;
}

/** Formats a package: `bind-libs 32 9.11.4-26.P2.el7_9 x86_64`; `-` for an unknown value. */
export const packageWords = ({ name, epoch, version, architecture }: InstalledPackage): string =>
  [name, epoch ?? '-', version, architecture ?? '-'].join(' ');

/** Reads hostile inventories of the largest accepted size. */
import { expect, test } from 'vitest';
import { maxInventoryBytes } from './inventory-text.ts';
import { hostileNames, readHostile } from './testing/hostile-inventories.ts';

test.each(hostileNames)('reads %s of the largest size to its end', (name) => {
  const { counted, lines } = readHostile(name, maxInventoryBytes);
  expect(counted).toBeLessThanOrEqual(lines);
});

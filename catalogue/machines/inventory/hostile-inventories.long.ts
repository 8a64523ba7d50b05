/** Hostile inventories of the largest size that is read. */
import { expect, test } from 'vitest';
import { maxInventoryBytes } from './inventory-text.ts';
import { hostileNames, readHostile } from './testing/hostile-inventories.ts';

test.each(hostileNames)('ends with as much as is read of %s', (name) => {
  const { counted, lines } = readHostile(name, maxInventoryBytes);
  expect(counted).toBeLessThanOrEqual(lines);
});

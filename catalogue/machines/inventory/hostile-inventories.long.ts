/** Hostile inventories of the largest size that is read. */
import { test } from 'vitest';
import { maxInventoryBytes } from './inventory-text.ts';
import { hostileNames, readHostile } from './testing/hostile-inventories.ts';

test.each(hostileNames)('ends with as much as is read of %s', (name) =>
  readHostile(name, maxInventoryBytes),
);

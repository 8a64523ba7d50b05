/** Sends a few hundred damaged inventories; damaged-inventories.long.ts sends ten thousand. */
import { testDamagedInventories } from './testing/damaged-inventory-tests.ts';

testDamagedInventories(300);

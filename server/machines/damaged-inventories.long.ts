/** Sends ten thousand damaged inventories. */
import { testDamagedInventories } from './testing/damaged-inventory-tests.ts';

testDamagedInventories(10_000);

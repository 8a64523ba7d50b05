/** A few random sequences; refreshed-memory.long.ts runs more. */
import { testRefreshedMemory } from './testing/refreshed-memory-tests.ts';

testRefreshedMemory(2, 4);

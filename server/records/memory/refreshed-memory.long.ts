/** Many longer random sequences. MEMORY_SEQUENCES is their number, MEMORY_SEED their start. */
import { testRefreshedMemory } from './testing/refreshed-memory-tests.ts';

testRefreshedMemory(Number(process.env['MEMORY_SEQUENCES'] ?? 100), 12);

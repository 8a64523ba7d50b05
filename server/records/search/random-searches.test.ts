/** Runs a thousand random searches; random-searches.long.ts runs more. */
import { testRandomSearches } from './testing/random-search-tests.ts';

testRandomSearches(1_000);

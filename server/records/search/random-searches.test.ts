/** Runs 400 random searches; random-searches.long.ts runs more. */
import { testRandomSearches } from './testing/random-search-tests.ts';

testRandomSearches(400);

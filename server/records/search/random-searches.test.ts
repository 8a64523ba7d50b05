/** A thousand random searches; random-searches.long.ts asks more. */
import { testRandomSearches } from './testing/random-search-tests.ts';

testRandomSearches(1_000);

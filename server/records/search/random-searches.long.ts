/** Runs ten thousand random searches, or the number in the environment variable SEARCHES. */
import { testRandomSearches } from './testing/random-search-tests.ts';

testRandomSearches(Number(process.env['SEARCHES'] ?? 10_000));

/** Ten thousand random searches, or as many as the environment variable SEARCHES says. */
import { testRandomSearches } from './testing/random-search-tests.ts';

testRandomSearches(Number(process.env['SEARCHES'] ?? 10_000));

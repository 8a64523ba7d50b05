/** Searches each list by every field and operator with all unexpected values. */
import { testOddFilters } from './testing/odd-filter-tests.ts';

testOddFilters({ pick: (values) => values, leastAnswered: 50 });

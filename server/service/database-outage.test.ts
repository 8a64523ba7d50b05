/** Kills the database under every call twice; database-outage.long.ts does it more often. */
import { describe } from 'vitest';
import { testOutages } from './testing/outage-tests.ts';

describe('a service whose database is killed', () => {
  testOutages(2);
});

/** Kills the database under every call, KILLS times. */
import { describe } from 'vitest';
import { testOutages } from './testing/outage-tests.ts';

describe('a service whose database is killed', () => {
  testOutages(Number(process.env['KILLS'] ?? 40));
});

/** Fixtures that have a generator are what it writes. */
import { describe, expect, test } from 'vitest';
import { fixtureDifference, generatedVendors } from './testing/fixture-files.ts';

describe.each(generatedVendors())('the fixtures of %s', (vendor) => {
  test('are what their generator writes', async () => {
    const { stale, left } = await fixtureDifference(vendor);
    expect({ stale: Object.keys(stale), left }, `run npm run fixtures -- ${vendor}`).toEqual({
      stale: [],
      left: [],
    });
  });
});

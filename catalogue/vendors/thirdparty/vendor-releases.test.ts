import { expect, test } from 'vitest';
import { z } from 'zod';
import { readVendorReleases } from './vendor-releases.ts';

const firefox = { of: 'mozilla', product: 'firefox', newest: 'LATEST_FIREFOX_VERSION' } as const;

test('builds no address from an invalid version', () => {
  for (const odd of ['', ' ', '\uD800', '../1', '1 2', 7, null]) {
    expect(() => readVendorReleases(firefox, [{ LATEST_FIREFOX_VERSION: odd }, undefined])).toThrow(
      z.ZodError,
    );
  }
  const releases = Object.fromEntries(
    ['\uD800', '200.0', '../1'].map((version) => [
      `firefox-${version}`,
      { version, category: 'major' },
    ]),
  );
  const read = readVendorReleases(firefox, [{ LATEST_FIREFOX_VERSION: '201.0' }, { releases }]);
  expect(new Set(read?.packages.map(({ version }) => version))).toEqual(
    new Set(['201.0', '200.0']),
  );
});

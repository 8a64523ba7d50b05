/** Fixtures that have a generator are what it writes. */
import { describe, expect, test } from 'vitest';
import { readInRelease } from './parsers/inrelease.ts';
import { aptSuiteFrom, packagesFrom } from './testing/apt-suite-from.ts';
import { documentFrom } from './testing/document-from.ts';
import { fixtureDifference, generatedVendors } from './testing/fixture-files.ts';
import { signer } from './testing/signed-text.ts';

describe.each(generatedVendors())('the fixtures of %s', (vendor) => {
  test('are what their generator writes', async () => {
    const { stale, left } = await fixtureDifference(vendor);
    expect({ stale: Object.keys(stale), left }, `run npm run fixtures -- ${vendor}`).toEqual({
      stale: [],
      left: [],
    });
  });
});

test('a suite that is generated is signed by its key, and names its indexes with their checksums', async () => {
  const key = await signer();
  const suite = {
    archive: 'https://apt.example/base',
    suite: 'one',
    date: 'Tue, 03 Jun 2031 10:00:00 UTC',
  };
  const files = await aptSuiteFrom(
    { ...suite, components: { main: packagesFrom([{ Package: 'a', Description: 'one\ntwo' }]) } },
    key,
  );
  const index = 'apt.example/base/dists/one/main/binary-amd64/Packages.gz';
  expect(Object.keys(files)).toEqual([
    'apt.example/base/dists/one/InRelease',
    index,
    'keys/fixtures.asc',
  ]);
  const signed = documentFrom(
    'https://apt.example/InRelease',
    files['apt.example/base/dists/one/InRelease'] ?? '',
  );
  const release = await readInRelease(signed, [String(files['keys/fixtures.asc'])]);
  expect(release).toMatchObject({ verified: true, suite: 'one', date: Date.UTC(2031, 5, 3, 10) });
  const packages = documentFrom(`https://${index}`, files[index] ?? '');
  expect(release.files.get('main/binary-amd64/Packages.gz')).toEqual({
    sha256: packages.sha256,
    size: packages.size,
  });
  expect(await packages.text()).toBe('Package: a\nDescription: one\n two\n');
});

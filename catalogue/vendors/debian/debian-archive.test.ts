import { expect, test } from 'vitest';
import { FetchFailed } from '../../definition/document-errors.ts';
import { createReader, formatEntry } from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { debianFeed } from './debian-feed.ts';

const { entries, fixtures, instead, said } = createReader(debianFeed);
const archive = 'http://security.debian.org/';
const release = `${archive}debian-security/dists/bookworm-security/InRelease`;

test.each([
  [
    'the packages of its version',
    'DSA-9003-2|bookworm|lanternd',
    'bookworm-security',
    [
      'lantern-data 1:20310601 all 4…',
      'lantern-doc 4.1-2+deb12u2 all 3…',
      'lantern-image-6.1.0-21-amd64 4.1-2+deb12u2 amd64 5…',
      'lanternd 4.1-2+deb12u2 amd64 1…',
      'liblantern4 4.1-2+deb12u2 amd64 2…',
    ],
  ],
  [
    'rebuilt packages of its version',
    'DSA-9003-1|bookworm|wick',
    'bookworm-security',
    ['wick 0.9-1+deb12u1+b1 amd64 7…', 'wick-firmware 0.9-1+deb12u1 all 8…'],
  ],
  [
    'the names of a newer version that replaced it in the archive',
    'DSA-9003-1|bookworm|lanternd',
    'bookworm-security, which holds another version of the source package',
    [
      // A package of the newer version with an unknown version of its own. A name that contains the version is left out.
      'lantern-data - all -',
      'lantern-doc 4.1-2+deb12u1 all -',
      'lanternd 4.1-2+deb12u1 amd64 -',
      'liblantern4 4.1-2+deb12u1 amd64 -',
    ],
  ],
])('takes %s as the binary packages of a fix', async (_which, key, packagesFrom, packages) => {
  expect(formatEntry((await entries('DSA')).get(key))).toMatchObject({ packagesFrom, packages });
});

test('reads the last copy with a remark while the archive is unavailable', async () => {
  const last = (await findPart(debianFeed, 'DSA').contents(fixtures)).documents;
  const failed = (url: string) =>
    url.startsWith(archive)
      ? new FetchFailed(url, { code: 'status', params: { status: 503 } })
      : undefined;
  const fix = 'DSA-9003-2|bookworm|lanternd';
  const away = instead(failed, { readLast: async () => last });
  expect((await entries('DSA', away)).get(fix)?.detail.packages).toHaveLength(5);
  expect(await said('DSA', away)).toContain(
    `The index of the binary packages of bookworm is read from its last copy: ${release} answered 503. The vendor's server is overloaded or down; the next sync tries again.`,
  );
  const { remarks } = await findPart(debianFeed, 'DSA').contents(away);
  expect(remarks).toContainEqual(
    expect.objectContaining({ copies: expect.arrayContaining([release]) }),
  );
  const never = await entries('DSA', instead(failed));
  expect(never.size).toBe((await entries('DSA')).size);
  expect(formatEntry(never.get(fix))).not.toHaveProperty('packages');
  expect(formatEntry(never.get(fix))).not.toHaveProperty('packagesFrom');
});

test('ignores an archive that another key signed', async () => {
  const other = { ...fixtures, trustedKeys: [] };
  expect(await said('DSA', other)).toContainEqual(
    expect.stringContaining('none of its signatures is good'),
  );
  const packages = [...(await entries('DSA', other)).values()].map(formatEntry);
  expect(packages.filter((fix) => 'packages' in fix)).toEqual([]);
});

test('skips an unpublished archive, and adds a remark on a damaged stanza', async () => {
  const without = instead((url) => (url.startsWith(archive) ? null : undefined));
  const damaged = 'snuffer is left out: it has no Version.';
  const lines = await said('DSA');
  const others = lines.filter((line) => !line.endsWith(damaged));
  expect(others).toHaveLength(lines.length - 1);
  expect(await said('DSA', without)).toEqual(others);
});

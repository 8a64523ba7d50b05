/** The binary packages of a fix come from the security archive. */
import { expect, test } from 'vitest';
import { FetchFailed } from '../../definition/document-errors.ts';
import { readerOf, shown } from '../../testing/feed-reader.ts';
import { partOf } from '../../testing/part-of.ts';
import { debianFeed } from './debian-feed.ts';

const { entries, fixtures, instead, said } = readerOf(debianFeed);
const archive = 'http://security.debian.org/';
const release = `${archive}debian-security/dists/bookworm-security/InRelease`;

test.each([
  [
    'those of its version',
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
    'those of its version that were built anew',
    'DSA-9003-1|bookworm|wick',
    'bookworm-security',
    ['wick 0.9-1+deb12u1+b1 amd64 7…', 'wick-firmware 0.9-1+deb12u1 all 8…'],
  ],
  [
    'where the archive holds a newer version by now, the names of that one',
    'DSA-9003-1|bookworm|lanternd',
    'bookworm-security, which holds another version of the source package',
    [
      // Of a version of its own: which one it was nobody says. A name that changes with the version is left out.
      'lantern-data - all -',
      'lantern-doc 4.1-2+deb12u1 all -',
      'lanternd 4.1-2+deb12u1 amd64 -',
      'liblantern4 4.1-2+deb12u1 amd64 -',
    ],
  ],
])('the binary packages of a fix are %s', async (_which, key, packagesFrom, packages) => {
  expect(shown((await entries('DSA')).get(key))).toMatchObject({ packagesFrom, packages });
});

test('while the archive cannot be had its last copy serves, and the run says so', async () => {
  const last = (await partOf(debianFeed, 'DSA').contents(fixtures)).documents;
  const failed = (url: string) =>
    url.startsWith(archive)
      ? new FetchFailed(url, { code: 'status', params: { status: 503 } })
      : undefined;
  const fix = 'DSA-9003-2|bookworm|lanternd';
  const away = instead(failed, { readLast: async () => last });
  expect((await entries('DSA', away)).get(fix)?.detail.packages).toHaveLength(5);
  expect(await said('DSA', away)).toContain(
    `What the archive says of the binary packages of bookworm is read from its last copy: ${release} answered 503. The vendor's server is overloaded or down; the next sync tries again.`,
  );
  const { remarks } = await partOf(debianFeed, 'DSA').contents(away);
  expect(remarks).toContainEqual(
    expect.objectContaining({ copies: expect.arrayContaining([release]) }),
  );
  const never = await entries('DSA', instead(failed));
  expect(never.size).toBe((await entries('DSA')).size);
  expect(shown(never.get(fix))).not.toHaveProperty('packages');
  expect(shown(never.get(fix))).not.toHaveProperty('packagesFrom');
});

test('an archive that is signed by another key names nothing', async () => {
  const other = { ...fixtures, trustedKeys: [] };
  expect(await said('DSA', other)).toContainEqual(
    expect.stringContaining('none of its signatures is good'),
  );
  const packages = [...(await entries('DSA', other)).values()].map(shown);
  expect(packages.filter((fix) => 'packages' in fix)).toEqual([]);
});

test('an archive that is not published is passed over; a damaged stanza is spoken of', async () => {
  const without = instead((url) => (url.startsWith(archive) ? null : undefined));
  const damaged = 'snuffer is left out: it has no Version.';
  const lines = await said('DSA');
  const others = lines.filter((line) => !line.endsWith(damaged));
  expect(others).toHaveLength(lines.length - 1);
  expect(await said('DSA', without)).toEqual(others);
});

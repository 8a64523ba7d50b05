/** The binary packages of a fix come from the security archive. */
import { expect, test } from 'vitest';
import { FetchFailed, NotPublished } from '../../definition/document-errors.ts';
import type { FeedItem, Publication } from '../../definition/feed.ts';
import { partOf } from '../../testing/part-of.ts';
import { debianFeed } from './debian-feed.ts';
import { entries, fixtures, readings, security } from './testing/debian-readings.ts';

test('the binary packages of a fix are those of its version in the security archive', async () => {
  const read = await entries('DSA');
  const version = '4.1-2+deb12u2';
  expect(read.get('DSA-9003-2|bookworm|lanternd')?.detail).toMatchObject({
    packagesFrom: 'bookworm-security',
    packages: [
      {
        name: 'lantern-data',
        version: '1:20310601',
        architecture: 'all',
        checksum: '4'.repeat(64),
      },
      { name: 'lantern-doc', version, architecture: 'all', checksum: '3'.repeat(64) },
      {
        name: 'lantern-image-6.1.0-21-amd64',
        version,
        architecture: 'amd64',
        checksum: '5'.repeat(64),
      },
      { name: 'lanternd', version, architecture: 'amd64', checksum: '1'.repeat(64) },
      { name: 'liblantern4', version, architecture: 'amd64', checksum: '2'.repeat(64) },
    ],
  });
  expect(read.get('DSA-9003-1|bookworm|wick')?.detail.packages).toEqual([
    { name: 'wick', version: '0.9-1+deb12u1+b1', architecture: 'amd64', checksum: '7'.repeat(64) },
    {
      name: 'wick-firmware',
      version: '0.9-1+deb12u1',
      architecture: 'all',
      checksum: '8'.repeat(64),
    },
  ]);
});

test('where the archive holds a newer version by now, the names are those of that one, and it is said', async () => {
  const version = '4.1-2+deb12u1';
  expect((await entries('DSA')).get('DSA-9003-1|bookworm|lanternd')?.detail).toMatchObject({
    packagesFrom: 'bookworm-security, which holds another version of the source package',
    packages: [
      // Of a version of its own: which one it was nobody says. A name that changes with the version is left out.
      { name: 'lantern-data', version: null, architecture: 'all', checksum: null },
      { name: 'lantern-doc', version, architecture: 'all', checksum: null },
      { name: 'lanternd', version, architecture: 'amd64', checksum: null },
      { name: 'liblantern4', version, architecture: 'amd64', checksum: null },
    ],
  });
});

test('while the archive cannot be had its last copy serves, and the run says so', async () => {
  const last = (await partOf(debianFeed, 'DSA').contents(fixtures)).documents;
  const away: Publication = {
    ...fixtures,
    readLast: async () => last,
    async open(url, options) {
      if (url.startsWith('http://security.debian.org/'))
        throw new FetchFailed(url, { code: 'status', params: { status: 503 } });
      return fixtures.open(url, options);
    },
  };
  const read = await entries('DSA', away);
  expect(read.get('DSA-9003-2|bookworm|lanternd')?.detail.packages).toHaveLength(5);
  expect(await readings('DSA', away)).toContainEqual({
    kind: 'remark',
    remark: `What the archive says of the binary packages of bookworm is read from its last copy: ${security}/InRelease answered 503. The vendor's server is overloaded or down; the next sync tries again.`,
    copies: expect.arrayContaining([`${security}/InRelease`]),
  });
  const never = await entries('DSA', { ...away, readLast: async () => [] });
  expect(never.size).toBe(read.size);
  expect(never.get('DSA-9003-2|bookworm|lanternd')?.detail).toMatchObject({
    packages: [],
    packagesFrom: null,
  });
});

test('an archive that is signed by another key names nothing', async () => {
  const read = await readings('DSA', { ...fixtures, trustedKeys: [] });
  expect(read).toContainEqual({
    kind: 'remark',
    remark: expect.stringContaining('none of its signatures is good'),
  });
  expect(
    read.flatMap((reading) =>
      reading.kind === 'entry' ? (reading.detail.packages as unknown[]) : [],
    ),
  ).toEqual([]);
});

test('an archive that is not published is passed over; a damaged stanza is spoken of', async () => {
  const without: Publication = {
    ...fixtures,
    async open(url, options) {
      if (url.startsWith('http://security.debian.org/')) throw new NotPublished(url);
      return fixtures.open(url, options);
    },
  };
  const remarks = (read: FeedItem[]) =>
    read
      .filter((reading) => reading.kind === 'remark')
      .map(({ remark }) => remark.replace(/[\da-f]{64}/, 'sum'));
  const damaged = `${security}/main/binary-amd64/by-hash/SHA256/sum: snuffer is left out: it has no Version.`;
  expect(remarks(await readings('DSA'))).toContain(damaged);
  expect(remarks(await readings('DSA', without))).toEqual(
    remarks(await readings('DSA')).filter((remark) => remark !== damaged),
  );
});

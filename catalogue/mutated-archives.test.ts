/** What mutated-documents.test.ts does, for what lies inside of archives of many files: one of them is changed by chance, the archive itself is good. */
import { expect, test } from 'vitest';
import type { Document, FeedItem, Publication } from './definition/feed.ts';
import { BrokenDocument } from './parsers/document-of.ts';
import { tarFiles } from './parsers/tar-files.ts';
import { allOf } from './testing/all-of.ts';
import { chanceOf, oneOf } from './testing/chance.ts';
import { complaintsOf } from './testing/complaints-of.ts';
import { documentFrom } from './testing/document-from.ts';
import { mutated } from './testing/mutations.ts';
import { partOf } from './testing/part-of.ts';
import { publicationFrom } from './testing/publication-from.ts';
import { tarFrom } from './testing/tar-from.ts';
import { fixturesOf } from './testing/vendor-fixtures.ts';
import { opensuseFeed } from './vendors/opensuse/opensuse-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';
import { scanFileFrom, scanMembers } from './vendors/windows/fixtures/offline-scan-members.ts';
import { offlineScanPart } from './vendors/windows/offline-scan.ts';

const times = 40;

/** Each reading of each mutation, with what was done; null for a document that is said to be broken. */
async function failuresOf(
  mutate: (
    seed: number,
  ) => Promise<{ readonly read: () => Promise<FeedItem[]>; readonly done: string }>,
) {
  const failures: string[] = [];
  let read = 0;
  for (let seed = 0; seed < times; seed++) {
    const { read: readings, done } = await mutate(seed);
    try {
      const entries = (await readings()).filter((reading) => reading.kind === 'entry');
      read += 1;
      failures.push(
        ...entries
          .flatMap(complaintsOf)
          .map((complaint) => `seed ${seed}, ${done}\n  ${complaint}`),
      );
    } catch (error) {
      if (!(error instanceof BrokenDocument))
        failures.push(
          `seed ${seed}, ${done}\n  ${error instanceof Error ? error.stack : String(error)}`,
        );
    }
  }
  return { failures, read };
}

test('the offline scan file', { timeout: 240_000 }, async () => {
  const members = Object.entries(scanMembers).flatMap(([cabinet, files]) =>
    Object.keys(files).map((name) => [cabinet, name] as const),
  );
  const outcome = await failuresOf(async (seed) => {
    const chance = chanceOf(seed);
    const [cabinet, name] =
      chance() < 0.5 ? (['package.cab', 'package.xml'] as const) : oneOf(members, chance);
    const { content, done } = mutated(scanMembers[cabinet]?.[name] ?? '', chance);
    const changed = {
      ...scanMembers,
      [cabinet]: { ...scanMembers[cabinet], [name]: content.toString() },
    };
    const document = documentFrom('https://example.org/wsusscn2.cab', scanFileFrom(changed));
    return {
      done: `${name}: ${done}`,
      read: () => allOf(offlineScanPart.read({ documents: [document], whole: true })),
    };
  });
  expect(outcome.failures).toEqual([]);
  expect(outcome.read).toBeGreaterThan(times / 2);
});

test.each([
  {
    of: 'the bulletins of SUSE',
    feed: opensuseFeed,
    part: '15.6',
    address: 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2',
  },
  {
    of: 'the priorities of Ubuntu',
    feed: ubuntuFeed,
    part: 'jammy-security',
    address: 'https://security-metadata.canonical.com/osv/osv-all.tar.xz',
  },
])('$of', async ({ feed, part, address }) => {
  const publication = publicationFrom(fixturesOf(feed));
  const files = new Map<string, string>();
  for await (const { path, content } of tarFiles((await publication.open(address)).bytes()))
    files.set(path, Buffer.from(content).toString());
  const outcome = await failuresOf(async (seed) => {
    const chance = chanceOf(seed);
    const [path, text] = oneOf([...files], chance);
    const { content, done } = mutated(text, chance);
    const archive = documentFrom(
      address,
      tarFrom({ ...Object.fromEntries(files), [path]: content }),
    );
    const changed: Publication = {
      ...publication,
      open: (url, options): Promise<Document> =>
        url === address ? Promise.resolve(archive) : publication.open(url, options),
    };
    return {
      done: `${path}: ${done}`,
      read: async () => allOf(partOf(feed, part).read(await partOf(feed, part).contents(changed))),
    };
  });
  expect(outcome.failures).toEqual([]);
  // One bad file of many keeps nothing else out.
  expect(outcome.read).toBe(times);
});

/** Reads archives of many files repeatedly, each time with one file changed at random; the archive itself stays valid. */
import type { Document, Feed, FeedItem, Publication } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import { tarFiles } from '../parsers/tar-files.ts';
import { opensuseFeed } from '../vendors/opensuse/opensuse-feed.ts';
import { ubuntuFeed } from '../vendors/ubuntu/ubuntu-feed.ts';
import { scanFileFrom, scanMembers } from '../vendors/windows/fixtures/offline-scan-members.ts';
import { offlineScanPart } from '../vendors/windows/offline-scan.ts';
import { allOf } from './all-of.ts';
import { chanceOf, oneOf } from './chance.ts';
import { complaintsOf } from './complaints-of.ts';
import { documentFrom } from './document-from.ts';
import type { MutatedReadings } from './mutated-documents.ts';
import { mutated } from './mutations.ts';
import { partOf } from './part-of.ts';
import { publicationFrom } from './publication-from.ts';
import { tarFrom } from './tar-from.ts';
import { fixturesOf } from './vendor-fixtures.ts';

/** Reads each mutation; reporting a document as broken is not a failure. */
async function collectFailures(
  times: number,
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

export function mutatedScanFiles(times: number): Promise<MutatedReadings> {
  const members = Object.entries(scanMembers).flatMap(([cabinet, files]) =>
    Object.keys(files).map((name) => [cabinet, name] as const),
  );
  return collectFailures(times, async (seed) => {
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
}

export interface ArchiveSubject {
  readonly name: string;
  readonly feed: Feed;
  readonly part: string;
  readonly address: string;
}

export const archives: readonly ArchiveSubject[] = [
  {
    name: 'the bulletins of SUSE',
    feed: opensuseFeed,
    part: '15.6',
    address: 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2',
  },
  {
    name: 'the priorities of Ubuntu',
    feed: ubuntuFeed,
    part: 'jammy-security',
    address: 'https://security-metadata.canonical.com/osv/osv-all.tar.xz',
  },
];

export async function mutatedArchives(
  { feed, part, address }: ArchiveSubject,
  times: number,
): Promise<MutatedReadings> {
  const publication = publicationFrom(fixturesOf(feed));
  const files = new Map<string, string>();
  for await (const { path, content } of tarFiles((await publication.open(address)).bytes()))
    files.set(path, Buffer.from(content).toString());
  return collectFailures(times, async (seed) => {
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
}

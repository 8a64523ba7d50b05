/** Reads archives of many files repeatedly, each time with one file changed at random; the archive itself stays valid. */
import type { Document, Feed, FeedItem, Publication } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { tarFiles } from '../parsers/tar-files.ts';
import { opensuseFeed } from '../vendors/opensuse/opensuse-feed.ts';
import { ubuntuFeed } from '../vendors/ubuntu/ubuntu-feed.ts';
import { scanFileFrom, scanMembers } from '../vendors/windows/fixtures/offline-scan-members.ts';
import { offlineScanPart } from '../vendors/windows/scan-file/offline-scan.ts';
import { createChance, pick } from './chance.ts';
import { collect } from './collect.ts';
import { documentFrom } from './document-from.ts';
import { findComplaints } from './find-complaints.ts';
import { findPart } from './find-part.ts';
import type { MutatedReadings } from './mutated-documents.ts';
import { applyMutation } from './mutations.ts';
import { publicationFrom } from './publication-from.ts';
import { tarFrom } from './tar-from.ts';
import { findFixtures } from './vendor-fixtures.ts';

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
          .flatMap(findComplaints)
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
    const chance = createChance(seed);
    const [cabinet, name] =
      chance() < 0.5 ? (['package.cab', 'package.xml'] as const) : pick(members, chance);
    const { content, done } = applyMutation(scanMembers[cabinet]?.[name] ?? '', chance);
    const changed = {
      ...scanMembers,
      [cabinet]: { ...scanMembers[cabinet], [name]: content.toString() },
    };
    const document = documentFrom('https://example.org/wsusscn2.cab', scanFileFrom(changed));
    return {
      done: `${name}: ${done}`,
      read: () => collect(offlineScanPart.read({ documents: [document], isComplete: true })),
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
  const publication = publicationFrom(findFixtures(feed));
  const files = new Map<string, string>();
  for await (const { path, content } of tarFiles((await publication.open(address)).bytes()))
    files.set(path, Buffer.from(content).toString());
  return collectFailures(times, async (seed) => {
    const chance = createChance(seed);
    const [path, text] = pick([...files], chance);
    const { content, done } = applyMutation(text, chance);
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
      read: async () =>
        collect(findPart(feed, part).read(await findPart(feed, part).contents(changed))),
    };
  });
}

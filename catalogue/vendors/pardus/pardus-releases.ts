/** Part that compares Pardus' list of releases with the known suites, so that a new release is noticed. */
import { z } from 'zod';
import type { FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { invalidReason, toWord } from '../../values/vendor-words.ts';
import { pardusVersions } from './pardus-suites.ts';

const releasesSchema = z.object({ pardus: z.array(z.unknown()).min(1, 'it names no release') });
const releaseSchema = z.object({ name: z.string(), version: z.union([z.string(), z.number()]) });

export const pardusReleases: Part = {
  key: 'releases',
  label: 'Pardus releases',
  async contents(publication: Publication): Promise<PartManifest> {
    return {
      documents: [await publication.open('https://depo.pardus.org.tr/dists.json')],
      isComplete: true,
    };
  },
  async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
    for (const document of documents) {
      const read = releasesSchema.safeParse(parseJson(await document.text()));
      if (!read.success)
        throw new BrokenDocument(
          document.url,
          `it is not a list of releases: ${invalidReason(read.error)}`,
        );
      for (const [index, value] of read.data.pardus.entries()) {
        const release = releaseSchema.safeParse(value);
        if (!release.success) {
          yield {
            kind: 'rejection',
            rejected: `release ${index + 1}`,
            reason: invalidReason(release.error),
            url: document.url,
          };
          continue;
        }
        const { name, version } = release.data;
        const number = toWord(version) ?? '';
        if (!pardusVersions.includes(number))
          yield {
            kind: 'remark',
            remark: `Pardus ${number} (${name}) is published, and not collected yet`,
          };
      }
    }
  },
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

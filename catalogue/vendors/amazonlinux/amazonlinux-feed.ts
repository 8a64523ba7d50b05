/** Feed of Amazon Linux's advisories: the updateinfo of the core repository of Amazon Linux 2023. */
import {
  entry,
  type Feed,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
} from '../../definition/feed.ts';
import type { UpdateinfoAdvisory } from '../../parsers/updateinfo.ts';
import { isRetracted, toUpdateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import { readRepositories } from '../../schemas/updateinfo-repositories.ts';
import { amazonlinuxList } from './amazonlinux-list.ts';
import { openSnapshot } from './amazonlinux-snapshots.ts';

const mirrorList = 'https://cdn.amazonlinux.com/al2023/core/mirrors/latest/x86_64/mirror.list';
const bulletins = 'https://alas.aws.amazon.com/AL2023/';
const release = '2023';
const label = `Amazon Linux ${release}`;

const core: Part = {
  key: release,
  label,
  contents: (publication: Publication): Promise<PartManifest> =>
    openSnapshot(publication, mirrorList),
  async *read(contents: PartManifest): AsyncGenerator<FeedItem> {
    for await (const reading of readRepositories(contents, { label, tag: 'amzn2023' })) {
      if (reading.kind === 'rejection')
        yield { ...reading, keys: (reading.keys ?? [reading.rejected]).map(toAdvisoryKey) };
      else if (reading.kind === 'remark') yield reading;
      else if (!isRetracted(reading)) yield toAmazonlinuxEntry(reading);
    }
  },
};

export const amazonlinuxFeed: Feed = {
  fills: [amazonlinuxList],
  homepage: 'https://alas.aws.amazon.com/alas2023.html',
  schedule: '36 */4 * * *',
  version: 2,
  parts: [core],
};

/** Contains the release, so that another release can have keys of its own. */
function toAdvisoryKey(id: string): string {
  return `${release}:${id}`;
}

function toAmazonlinuxEntry(advisory: UpdateinfoAdvisory): FeedItem {
  const { id } = advisory;
  const { row, detail, unknownWords } = toUpdateinfoEntry(advisory, label);
  const page = /^ALAS2023-\d{4}-\d+$/.test(id)
    ? `${bulletins}${id}.html`
    : (detail.referenceLink ?? null);
  return entry(
    amazonlinuxList,
    toAdvisoryKey(id),
    row,
    { ...detail, referenceLink: page },
    unknownWords,
  );
}

/** Feed of openSUSE Leap's patches: the update repositories of each release, with the names of SUSE's bulletins. */
import {
  entry,
  type Feed,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
} from '../../definition/feed.ts';
import { openOrLast } from '../../parsers/open-or-last.ts';
import type { UpdateinfoAdvisory } from '../../parsers/updateinfo.ts';
import { isRetracted, toUpdateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import {
  openRepositories,
  type Repository,
  readRepositories,
} from '../../schemas/updateinfo-repositories.ts';
import { deriveBulletinId } from './opensuse-bulletin-id.ts';
import { opensuseList } from './opensuse-list.ts';
import { readSuseBulletins, type SuseBulletins } from './suse-bulletins.ts';

const host = 'https://download.opensuse.org';
const bulletinArchive = 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2';

export const opensuseFeed: Feed = {
  fills: [opensuseList],
  homepage: 'https://www.opensuse.org/',
  schedule: '15 */4 * * *',
  version: 2,
  parts: ['15.3', '15.4', '15.5', '15.6', '16.0'].map(createLeapPart),
  otherParts: {
    words: 'a release of Leap, such as 15.7 or 16.1',
    toPart: (key) => (/^(1[5-9]|2\d)\.\d$/.test(key) ? createLeapPart(key) : null),
  },
};

/** Since 16 the distribution's repositories also contain the updates. */
function listRepositories(release: string): Repository[] {
  if (Number.parseInt(release, 10) >= 16)
    return ['oss', 'non-oss'].map((name) => ({
      name,
      address: `${host}/distribution/leap/${release}/repo/${name}/x86_64/`,
    }));
  return ['oss', 'non-oss', 'sle', 'backports'].map((name) => ({
    name,
    address: `${host}/update/leap/${release}/${name}/`,
  }));
}

function createLeapPart(release: string): Part {
  const repositories = listRepositories(release);
  const label = `openSUSE Leap ${release}`;
  return {
    key: release,
    label,
    async contents(publication: Publication): Promise<PartManifest> {
      const { documents, ...opened } = await openRepositories(publication, repositories);
      return {
        documents: [...documents, ...(await openOrLast(publication, bulletinArchive))],
        ...opened,
      };
    },
    async *read(contents: PartManifest): AsyncGenerator<FeedItem> {
      const bulletins = await readSuseBulletins(
        contents.documents.filter(({ url }) => url === bulletinArchive),
      );
      yield* bulletins.remarks;
      for await (const reading of readRepositories(contents, { label, tag: null })) {
        if (reading.kind === 'rejection')
          yield {
            ...reading,
            keys: (reading.keys ?? [reading.rejected]).map((id) => toPatchKey(release, id)),
          };
        else if (reading.kind === 'remark') yield reading;
        else if (!isRetracted(reading)) yield toOpensuseEntry(release, reading, bulletins);
      }
    },
  };
}

/** A patch for two releases is two rows. */
function toPatchKey(release: string, id: string): string {
  return `${release}:${id}`;
}

function toOpensuseEntry(
  release: string,
  advisory: UpdateinfoAdvisory,
  bulletins: SuseBulletins,
): FeedItem {
  const { id, type } = advisory;
  const bulletin = bulletins.findBulletin(id, release);
  const { row, detail, unknownWords } = toUpdateinfoEntry(
    advisory,
    `openSUSE Leap ${release}`,
    bulletin?.id ?? deriveBulletinId(id, type),
  );
  const completed = { ...detail, referenceLink: bulletin?.page ?? detail.referenceLink ?? null };
  return entry(
    opensuseList,
    toPatchKey(release, id),
    { ...row, patchName: id },
    completed,
    unknownWords,
  );
}

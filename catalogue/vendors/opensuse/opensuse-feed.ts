/** Feed of openSUSE Leap's patches: the update repositories of each release, with the names of SUSE's bulletins. */
import { type Entry, entry, type Feed, type Part } from '../../definition/feed.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import type { UpdateinfoAdvisory } from '../../parsers/updateinfo.ts';
import { toErratumKey } from '../../schemas/errata-values.ts';
import { toUpdateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import {
  openRepositories,
  type Repository,
  readErrata,
} from '../../schemas/updateinfo-repositories.ts';
import { opensuseList } from './opensuse-list.ts';
import { readSuseBulletins, type SuseBulletins } from './suse-bulletins.ts';

const host = 'https://download.opensuse.org';
const bulletinArchive = 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2';

export const opensuseFeed: Feed = {
  fills: [opensuseList],
  homepage: 'https://www.opensuse.org/',
  schedule: '15 */4 * * *',
  version: 3,
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
    async contents(publication) {
      const { documents, ...opened } = await openRepositories(publication, repositories);
      return {
        documents: [
          ...documents,
          ...(await openOrLast(publication, bulletinArchive, {
            readThrough: async (document) => void (await readSuseBulletins([document])),
          })),
        ],
        ...opened,
      };
    },
    async *read(contents) {
      const bulletins = await readSuseBulletins(
        contents.documents.filter(({ url }) => url === bulletinArchive),
      );
      yield* bulletins.remarks;
      yield* readErrata(
        contents,
        { label, tag: null },
        (id) => toErratumKey(release, id),
        (advisory) => toOpensuseEntry(release, advisory, bulletins),
      );
    },
  };
}

function toOpensuseEntry(
  release: string,
  advisory: UpdateinfoAdvisory,
  bulletins: SuseBulletins,
): Entry {
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
    toErratumKey(release, id),
    { ...row, patchName: id },
    completed,
    unknownWords,
  );
}

/** Letters by update type in bulletin ids. */
const letters: Readonly<Record<string, string>> = {
  security: 'S',
  recommended: 'R',
  bugfix: 'R',
  feature: 'F',
  enhancement: 'F',
};

/**
 * Derives the bulletin id of a patch that no known bulletin lists: openSUSE-SU-2024:0137-1 for openSUSE-2024-137, SUSE-… for patches from
 * SUSE Linux Enterprise. Other names are returned unchanged. SUSE mostly numbers bulletins this way.
 */
export function deriveBulletinId(patch: string, type: string | null): string {
  const [, vendor, enterprise, year, number] =
    /^(openSUSE|SUSE)-(SLE-[\d.]+-)?(\d{4})-(\d+)$/.exec(patch) ?? [];
  if (year === undefined || number === undefined) return patch;
  const word = type?.toLowerCase() ?? '';
  const letter = (Object.hasOwn(letters, word) ? letters[word] : undefined) ?? 'O';
  return `${enterprise === undefined ? vendor : 'SUSE'}-${letter}U-${year}:${number.padStart(4, '0')}-1`;
}

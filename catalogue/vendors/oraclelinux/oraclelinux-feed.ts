/** Feed of Oracle Linux's errata: the repositories of each release, with CVEs and ratings from Oracle's OVAL. */
import {
  type Document,
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
import { openRepositories, readRepositories } from '../../schemas/updateinfo-repositories.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { type OracleOval, readOracleOval } from './oracle-oval.ts';
import { oraclelinuxList } from './oraclelinux-list.ts';

const ovalFolder = 'https://linux.oracle.com/security/oval/';
const firstOvalYear = 2006;

export const oraclelinuxFeed: Feed = {
  fills: [oraclelinuxList],
  homepage: 'https://linux.oracle.com/errata/',
  schedule: '45 */4 * * *',
  maxOpenBytes: 2048 * 1024 ** 2,
  version: 3,
  parts: [
    createErrataPart('7', ['latest', 'optional/latest', 'UEKR3', 'UEKR4', 'UEKR5', 'UEKR6']),
    createErrataPart('8', ['baseos/latest', 'appstream', 'codeready/builder', 'UEKR6', 'UEKR7']),
    createErrataPart('9', ['baseos/latest', 'appstream', 'codeready/builder', 'UEKR7', 'UEKR8']),
    createErrataPart('10', ['baseos/latest', 'appstream', 'codeready/builder', 'UEKR8']),
  ],
  otherParts: {
    words: 'a major release after 10, such as 11',
    toPart: (key) =>
      /^(1[1-9]|[2-9]\d)$/.test(key)
        ? createErrataPart(key, listLaterRepositories(Number(key)))
        : null,
  },
};

/**
 * Repositories of a later release, named like those of 8 to 10. Kernels were numbered slightly below their release; unpublished ones are
 * skipped.
 */
function listLaterRepositories(release: number): string[] {
  return [
    'baseos/latest',
    'appstream',
    'codeready/builder',
    ...[3, 2, 1, 0].map((lower) => `UEKR${release - lower}`),
  ];
}

function createErrataPart(release: string, names: readonly string[]): Part {
  const repositories = names.map((name) => ({
    name,
    address: `https://yum.oracle.com/repo/OracleLinux/OL${release}/${name}/x86_64/`,
  }));
  const label = `Oracle Linux ${release}`;
  return {
    key: release,
    label,
    async contents(publication: Publication): Promise<PartManifest> {
      const { documents, ...opened } = await openRepositories(publication, repositories);
      return { documents: [...documents, ...(await openOval(publication))], ...opened };
    },
    async *read(contents: PartManifest): AsyncGenerator<FeedItem> {
      const oval = await readOracleOval(
        contents.documents.filter(({ url }) => url.startsWith(ovalFolder)),
      );
      yield* oval.remarks;
      for await (const reading of readRepositories(contents, { label, tag: `el${release}` })) {
        if (reading.kind === 'rejection')
          yield {
            ...reading,
            keys: (reading.keys ?? [reading.rejected]).map((id) => toAdvisoryKey(release, id)),
          };
        else if (reading.kind === 'remark') yield reading;
        else if (!isRetracted(reading)) yield toOraclelinuxEntry(release, reading, oval);
      }
    },
  };
}

/** Opens the document with all definitions or, when it is not published, those of each year. */
async function openOval(publication: Publication): Promise<readonly Document[]> {
  const all = await openOrLast(publication, `${ovalFolder}com.oracle.elsa-all.xml.bz2`);
  if (all.length > 0) return all;
  const years: Document[] = [];
  for (let year = firstOvalYear; year <= new Date(publication.now()).getUTCFullYear(); year++) {
    years.push(...(await openOrLast(publication, `${ovalFolder}com.oracle.elsa-${year}.xml.bz2`)));
  }
  return years;
}

/** An advisory for two releases is two rows. */
function toAdvisoryKey(release: string, id: string): string {
  return `${release}:${id}`;
}

function toOraclelinuxEntry(
  release: string,
  advisory: UpdateinfoAdvisory,
  oval: OracleOval,
): FeedItem {
  const { id } = advisory;
  const { row, detail, unknownWords } = toUpdateinfoEntry(advisory, `Oracle Linux ${release}`);
  const cves = oval.getCves(id);
  const completed = {
    ...detail,
    // Oracle's own references sometimes lead to its internal host.
    referenceLink: /^EL[A-Z]A-[\w-]+$/.test(id)
      ? `https://linux.oracle.com/errata/${id}.html`
      : (detail.referenceLink ?? null),
    cve: distinctWords([...(detail.cve ?? []), ...cves.map(({ cve }) => cve)]),
    vulnerabilities: cves.flatMap(({ cve, ratings }) =>
      ratings.map((rating) => ({ cve, ...rating })),
    ),
  };
  return entry(oraclelinuxList, toAdvisoryKey(release, id), row, completed, unknownWords);
}

/** Feed of Oracle Linux's errata: the repositories of each release, with CVEs and ratings from Oracle's OVAL. */
import {
  createRemark,
  type Document,
  type Entry,
  entry,
  type Feed,
  type Part,
  type Publication,
  type Remark,
} from '../../definition/feed.ts';
import { BrokenDocument, convertFaults } from '../../parsers/create-document.ts';
import { detachText } from '../../parsers/detach-text.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import { readOnce } from '../../parsers/read-once.ts';
import type { UpdateinfoAdvisory } from '../../parsers/updateinfo.ts';
import {
  BrokenXml,
  child,
  children,
  type XmlElement,
  type XmlFault,
} from '../../parsers/xml-element.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { toErratumKey } from '../../schemas/errata-values.ts';
import { toUpdateinfoEntry } from '../../schemas/updateinfo-entry.ts';
import { openRepositories, readErrata } from '../../schemas/updateinfo-repositories.ts';
import { distinctWords, findCveIds, findUnknownCves, toWord } from '../../values/vendor-words.ts';
import { oraclelinuxList } from './oraclelinux-list.ts';

const ovalFolder = 'https://linux.oracle.com/security/oval/';
const firstOvalYear = 2006;

export const oraclelinuxFeed: Feed = {
  fills: [oraclelinuxList],
  homepage: 'https://linux.oracle.com/errata/',
  schedule: '45 */4 * * *',
  maxOpenBytes: 2048 * 1024 ** 2,
  version: 4,
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
    async contents(publication) {
      const { documents, ...opened } = await openRepositories(publication, repositories);
      return { documents: [...documents, ...(await openOval(publication))], ...opened };
    },
    async *read(contents) {
      const oval = await readOracleOval(
        contents.documents.filter(({ url }) => url.startsWith(ovalFolder)),
      );
      yield* oval.remarks;
      yield* readErrata(
        contents,
        { label, tag: `el${release}` },
        (id) => toErratumKey(release, id),
        (advisory) => toOraclelinuxEntry(release, advisory, oval),
      );
    },
  };
}

/** Opens the document with all definitions or, when it is not published, those of each year. */
async function openOval(publication: Publication): Promise<readonly Document[]> {
  const open = (name: string | number) =>
    openOrLast(publication, `${ovalFolder}com.oracle.elsa-${name}.xml.bz2`, {
      readThrough: validateOval,
    });
  const all = await open('all');
  if (all.length > 0) return all;
  const years: Document[] = [];
  for (let year = firstOvalYear; year <= new Date(publication.now()).getUTCFullYear(); year++)
    years.push(...(await open(year)));
  return years;
}

async function validateOval(document: Document): Promise<void> {
  if ((await readOracleOval([document])).advisories === 0)
    throw new BrokenDocument(document.url, 'it defines no advisory');
}

function toOraclelinuxEntry(
  release: string,
  advisory: UpdateinfoAdvisory,
  oval: OracleOval,
): Entry {
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
  return entry(oraclelinuxList, toErratumKey(release, id), row, completed, unknownWords);
}

interface OracleCve {
  readonly cve: string;
  /** CVSS 3 before CVSS 2; empty when Oracle states no rating. */
  readonly ratings: readonly { readonly score: string; readonly vector: string | null }[];
}

interface OracleOval {
  readonly remarks: readonly Remark[];
  /** Count of the advisories that it defines. */
  readonly advisories: number;
  readonly getCves: (advisory: string) => readonly OracleCve[];
}

/**
 * Reads Oracle's OVAL definitions, one per security advisory: the CVEs that it fixes and their ratings.
 * Knows no CVEs without documents.
 */
export const readOracleOval = readOnce(async (documents): Promise<OracleOval> => {
  const known = new Map<string, readonly OracleCve[]>();
  const remarks: Remark[] = [];
  let advisories = 0;
  for (const document of documents) {
    const damage = new Set<number>();
    let nameless = 0;
    for await (const metadata of readDefinitions(document, (line) => damage.add(line))) {
      const written = children(child(metadata, 'advisory'), 'cve');
      const { id, cves, unknownCves } = detachText({
        id: getAdvisoryId(metadata),
        cves: written.flatMap(toCves),
        unknownCves: findUnknownCves(
          written.map(({ text }) => text),
          true,
        ),
      });
      for (const { word } of unknownCves)
        remarks.push(
          createRemark(`${id ?? document.url}: "${word}" is not a CVE id that can be read`),
        );
      if (id === null) nameless += 1;
      else advisories += 1;
      if (id !== null && cves.length > 0) known.set(id, cves);
    }
    if (nameless > 0)
      remarks.push(
        createRemark(
          `${document.url}: definitions that name no advisory were left out: ${nameless}`,
        ),
      );
    const [line] = damage;
    if (line !== undefined)
      remarks.push(
        createRemark(
          `${document.url} is not well formed at line ${line}; the other definitions are read`,
        ),
      );
  }
  return { remarks, advisories, getCves: (advisory) => known.get(advisory) ?? [] };
});

function readDefinitions(
  document: Document,
  onDamage: (line: number) => void,
): AsyncGenerator<XmlElement> {
  const path = 'oval_definitions/definitions/definition/metadata';
  const onFault = ({ line }: XmlFault) => onDamage(line);
  const records = xmlRecords(document.chunks(), [path], { onFault });
  return convertFaults(document.url, BrokenXml, records);
}

/** The title is not used, because it is written by hand. */
function getAdvisoryId(metadata: XmlElement): string | null {
  const own = children(metadata, 'reference').find(
    ({ attributes }) => attributes.source?.toLowerCase() === 'elsa',
  );
  return toWord(own?.attributes.ref_id);
}

function toCves({ text, attributes }: XmlElement): OracleCve[] {
  const ratings = [attributes.cvss3, attributes.cvss2].flatMap(toRatings);
  return findCveIds([text]).map((cve) => ({ cve, ratings }));
}

/** Parses score, slash and vector: 5.5/CVSS:3.1/AV:L/AC:L/… */
function toRatings(written: string | undefined): OracleCve['ratings'] {
  const [, score, vector] = /^\s*(\d+(?:\.\d+)?)(?:\/(\S+))?\s*$/.exec(written ?? '') ?? [];
  return score === undefined ? [] : [{ score, vector: vector ?? null }];
}

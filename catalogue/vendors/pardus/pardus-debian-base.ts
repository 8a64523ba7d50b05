/** Finds the Debian advisory that a Pardus package includes: Pardus publishes none, and builds upon Debian's packages. */
import type { Document, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import { readOnce } from '../../parsers/read-once.ts';
import {
  type DpkgAdvisory,
  readDpkgAdvisories,
  toAdvisoryList,
} from '../../schemas/dpkg-advisories.ts';
import {
  groupCvesByPackage,
  noUrgency,
  readUrgencies,
  trackerAddress,
  type Urgency,
  validateTracker,
} from '../../schemas/dpkg-tracker.ts';
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';

const lists = [toAdvisoryList('DSA'), toAdvisoryList('DLA')];
const addresses: readonly string[] = [...lists, trackerAddress];

export interface IncludedAdvisory {
  readonly advisory: DpkgAdvisory;
  readonly urgency: Urgency;
}

export interface DebianBase {
  /**
   * Returns the advisory that released this version of a source package: the newest one, the security team's before long-term support's.
   */
  findAdvisory(pkgName: string, version: string, codename: string): IncludedAdvisory | null;
}

export async function openDebianBase(publication: Publication): Promise<readonly Document[]> {
  const documents: Document[] = [];
  for (const address of addresses) {
    const readThrough = address === trackerAddress ? validateTracker : validateList;
    documents.push(...(await openOrLast(publication, address, { readThrough })));
  }
  return documents;
}

async function validateList(document: Document): Promise<void> {
  const elements = [...readDpkgAdvisories(await document.text())];
  if (!elements.some(({ kind }) => kind === 'advisory'))
    throw new BrokenDocument(document.url, 'it contains no advisory');
}

export async function readDebianBase(documents: readonly Document[]): Promise<DebianBase> {
  return readDocuments(documents.filter(({ url }) => addresses.includes(url)));
}

const readDocuments = readOnce(async (documents): Promise<DebianBase> => {
  const advisories: DpkgAdvisory[] = [];
  for (const address of lists) {
    const text = (await documents.find(({ url }) => url === address)?.text()) ?? '';
    for (const element of readDpkgAdvisories(text))
      if (element.kind === 'advisory') advisories.push(element.advisory);
  }
  const tracker = documents.find(({ url }) => url === trackerAddress);
  const urgencies =
    tracker === undefined ? null : await readUrgencies(tracker, groupCvesByPackage(advisories));
  const fixes = groupFixesByPackage(advisories);
  return {
    findAdvisory(pkgName, version, codename) {
      const fix = fixes
        .get(`${codename} ${pkgName}`)
        ?.find((candidate) => compareDpkgVersions(candidate.version, version) === 0);
      if (fix === undefined) return null;
      const { advisory } = fix;
      return {
        advisory,
        urgency: urgencies?.getUrgency(pkgName, codename, advisory.cves) ?? noUrgency,
      };
    },
  };
});

interface Fix {
  readonly version: string;
  readonly advisory: DpkgAdvisory;
}

function groupFixesByPackage(advisories: readonly DpkgAdvisory[]): Map<string, Fix[]> {
  const fixes = advisories.flatMap((advisory) =>
    advisory.fixes.flatMap(({ codename, pkgName, version }) =>
      version === null ? [] : [{ key: `${codename} ${pkgName}`, version, advisory }],
    ),
  );
  return Map.groupBy(fixes, ({ key }) => key);
}

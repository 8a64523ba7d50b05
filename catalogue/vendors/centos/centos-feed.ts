/** Feed of CentOS Linux's errata, collected by CEFS from the announcements; an archive since the last release ended in June 2024. */
import {
  type Checksum,
  createRejection,
  createRemark,
  type Document,
  type Feed,
  type FeedItem,
  type Part,
  type Remark,
} from '../../definition/feed.ts';
import { BrokenDocument, convertFaults } from '../../parsers/create-document.ts';
import { BrokenXml, type XmlElement, type XmlFault } from '../../parsers/xml-element.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { findRepeated, toErratumKey } from '../../schemas/errata-values.ts';
import {
  mergeErrata,
  parseErratumId,
  type ReleaseErratum,
  readErratum,
  splitByRelease,
} from './cefs-record.ts';
import { remarkOnErratum, toCentosEntry } from './centos-entry.ts';
import { centosList } from './centos-list.ts';

const folder = 'https://cefs.steve-meier.de/';

const errata: Part = {
  key: 'errata',
  label: 'CentOS errata',
  async contents(publication) {
    const sums = await readCefsChecksums(await publication.open(`${folder}errata.latest.sha1`));
    const { packed, open } = sums;
    const openChecksum = open === null ? {} : { openChecksum: open };
    const document = await publication.open(`${folder}errata.latest.xml.bz2`, {
      checksum: packed,
      ...openChecksum,
      version: packed.value,
    });
    return { documents: [document], isComplete: true };
  },
  async *read({ documents }) {
    for (const document of documents) yield* readErrata(document);
  },
};

export const centosFeed: Feed = {
  fills: [centosList],
  homepage: 'https://cefs.steve-meier.de/',
  schedule: '45 4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 4,
  parts: [errata],
};

/** An erratum without a release may be for any of these. CentOS Linux ended with 8. */
const majorReleases = ['4', '5', '6', '7', '8'];

/** Reads the document twice: first for the repeated ids, so that only those errata are buffered. */
async function* readErrata(document: Document): AsyncGenerator<FeedItem> {
  const repeated = await findRepeated(readIds(document));
  const buffered = new Map<string, ReleaseErratum>();
  const faults: XmlFault[] = [];
  for await (const element of readElements(document, (fault) => faults.push(fault))) {
    yield* remarkOnFaults(faults);
    const id = parseErratumId(element);
    if (id === null) {
      if (hasErratumContent(element))
        yield createRejection(
          element.name,
          'it is not named by the id of an erratum',
          document.url,
        );
      continue;
    }
    const erratum = readErratum(id, element);
    yield* remarkOnErratum(erratum);
    if (erratum.releases.length === 0)
      yield createRejection(
        id,
        'neither its os_release nor its packages name a release of CentOS',
        document.url,
        majorReleases.map((release) => toErratumKey(release, id)),
      );
    for (const releaseErratum of splitByRelease(erratum)) {
      const key = toErratumKey(releaseErratum.release, id);
      const before = buffered.get(key);
      if (repeated.has(id))
        buffered.set(
          key,
          before === undefined ? releaseErratum : mergeErrata(before, releaseErratum),
        );
      else yield toCentosEntry(releaseErratum);
    }
  }
  yield* remarkOnFaults(faults);
  for (const releaseErratum of buffered.values()) yield toCentosEntry(releaseErratum);
}

/** Yields each fault once and empties the list. */
function* remarkOnFaults(faults: XmlFault[]): Generator<Remark> {
  for (const { line, problem } of faults.splice(0))
    yield createRemark(`line ${line} is not well formed: ${problem}; read past`);
}

async function* readIds(document: Document): AsyncGenerator<string | null> {
  for await (const element of readElements(document, () => undefined))
    yield parseErratumId(element);
}

function readElements(
  document: Document,
  onFault: (fault: XmlFault) => void,
): AsyncGenerator<XmlElement> {
  const isRecord = (name: string) => parseErratumId({ name }) !== null;
  const records = xmlRecords(document.chunks(), ['opt/*'], { onFault, isRecord });
  return convertFaults(document.url, BrokenXml, records);
}

/** CEFS also publishes an element about itself (`meta`). */
function hasErratumContent({ attributes, children }: XmlElement): boolean {
  return (
    attributes.synopsis !== undefined ||
    attributes.packages !== undefined ||
    children.some(({ name }) => name === 'packages')
  );
}

/** Parses errata.latest.sha1: one `sha1sum` line for the compressed errata and one for the XML inside. */
export async function readCefsChecksums(document: Document) {
  const sums = new Map<string, Checksum>();
  for (const line of (await document.text()).split('\n')) {
    const [, value, file] = /^([\da-f]{40}) [ *](?:.*\/)?([^/]+?)\s*$/i.exec(line) ?? [];
    if (value !== undefined && file !== undefined)
      sums.set(file, { algorithm: 'sha1', value: value.toLowerCase() });
  }
  const packed = sums.get('errata.latest.xml.bz2');
  if (packed === undefined)
    throw new BrokenDocument(document.url, 'it has no checksum of errata.latest.xml.bz2');
  return { packed, open: sums.get('errata.latest.xml') ?? null };
}

/** Feed of CentOS Linux's errata, collected by CEFS from the announcements; an archive since the last release ended in June 2024. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
  Remark,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import type { XmlElement } from '../../parsers/xml-element.ts';
import { BrokenXml, type XmlFault } from '../../parsers/xml-fault.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { readCefsChecksums } from './cefs-checksums.ts';
import {
  mergeErrata,
  parseErratumId,
  type ReleaseErratum,
  readErratum,
  splitByRelease,
} from './cefs-record.ts';
import { remarkOnErratum, toCentosEntry, toErratumKey } from './centos-entry.ts';
import { centosList } from './centos-list.ts';

const folder = 'https://cefs.steve-meier.de/';

const errata: Part = {
  key: 'errata',
  label: 'CentOS errata',
  async contents(publication: Publication): Promise<PartManifest> {
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
  async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
    for (const document of documents) yield* readErrata(document);
  },
};

export const centosFeed: Feed = {
  fills: [centosList],
  homepage: 'https://cefs.steve-meier.de/',
  schedule: '45 4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 3,
  parts: [errata],
};

/** An erratum without a release may be for any of these. CentOS Linux ended with 8. */
const majorReleases = ['4', '5', '6', '7', '8'];

/** Reads the document twice: first for the repeated ids, so that only those errata are buffered. */
async function* readErrata(document: Document): AsyncGenerator<FeedItem> {
  const repeated = await findRepeatedIds(document);
  const buffered = new Map<string, ReleaseErratum>();
  const faults: XmlFault[] = [];
  for await (const element of readElements(document, (fault) => faults.push(fault))) {
    yield* remarkOnFaults(faults);
    const id = parseErratumId(element);
    if (id === null) {
      if (hasErratumContent(element))
        yield {
          kind: 'rejection',
          rejected: element.name,
          reason: 'it is not named by the id of an erratum',
          url: document.url,
        };
      continue;
    }
    const erratum = readErratum(id, element);
    yield* remarkOnErratum(erratum);
    if (erratum.releases.length === 0)
      yield {
        kind: 'rejection',
        rejected: id,
        keys: majorReleases.map((release) => toErratumKey(release, id)),
        reason: 'neither its os_release nor its packages name a release of CentOS',
        url: document.url,
      };
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
    yield { kind: 'remark', remark: `line ${line} is not well formed: ${problem}; read past` };
}

async function findRepeatedIds(document: Document): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for await (const element of readElements(document, () => undefined)) {
    const id = parseErratumId(element);
    if (id === null) continue;
    if (met.has(id)) repeated.add(id);
    met.add(id);
  }
  return repeated;
}

async function* readElements(
  document: Document,
  onFault: (fault: XmlFault) => void,
): AsyncGenerator<XmlElement> {
  try {
    yield* xmlRecords(document.chunks(), ['opt/*'], {
      onFault,
      isRecord: (name) => parseErratumId({ name }) !== null,
    });
  } catch (error) {
    throw error instanceof BrokenXml
      ? new BrokenDocument(document.url, error.message, { cause: error })
      : error;
  }
}

/** CEFS also publishes an element about itself (`meta`). */
function hasErratumContent({ attributes, children }: XmlElement): boolean {
  return (
    attributes.synopsis !== undefined ||
    attributes.packages !== undefined ||
    children.some(({ name }) => name === 'packages')
  );
}

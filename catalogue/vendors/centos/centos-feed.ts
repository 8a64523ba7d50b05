/** The errata of CentOS Linux, collected by CEFS from the announcements: an archive since the last release ended in June 2024. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
  Remark,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import type { XmlElement } from '../../parsers/xml-element.ts';
import { BrokenXml, type XmlFault } from '../../parsers/xml-fault.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { cefsChecksums } from './cefs-checksums.ts';
import {
  erratumId,
  merged,
  type ReleaseErratum,
  readErratum,
  releaseErrata,
} from './cefs-record.ts';
import { centosEntry, centosRemarks, erratumKey } from './centos-entry.ts';
import { centosList } from './centos-list.ts';

const folder = 'https://cefs.steve-meier.de/';

const errata: Part = {
  key: 'errata',
  label: 'CentOS errata',
  async contents(publication: Publication): Promise<PartManifest> {
    const sums = await cefsChecksums(await publication.open(`${folder}errata.latest.sha1`));
    const { packed, open } = sums;
    const openChecksum = open === null ? {} : { openChecksum: open };
    const document = await publication.open(`${folder}errata.latest.xml.bz2`, {
      checksum: packed,
      ...openChecksum,
      version: packed.value,
    });
    return { documents: [document], whole: true };
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

/** For which of them an erratum without a release was, nobody can say. CentOS Linux ended with 8. */
const majorReleases = ['4', '5', '6', '7', '8'];

/** Read twice: once for the ids that come more than once, so that only those are held back until all of their elements are met. */
async function* readErrata(document: Document): AsyncGenerator<FeedItem> {
  const repeated = await repeatedIds(document);
  const held = new Map<string, ReleaseErratum>();
  const faults: XmlFault[] = [];
  for await (const element of elementsOf(document, (fault) => faults.push(fault))) {
    yield* remarksOn(faults);
    const id = erratumId(element);
    if (id === null) {
      if (saysAnything(element))
        yield {
          kind: 'rejection',
          rejected: element.name,
          reason: 'it is not named by the id of an erratum',
          url: document.url,
        };
      continue;
    }
    const erratum = readErratum(id, element);
    yield* centosRemarks(erratum);
    if (erratum.releases.length === 0)
      yield {
        kind: 'rejection',
        rejected: id,
        keys: majorReleases.map((release) => erratumKey(release, id)),
        reason: 'neither its os_release nor its packages name a release of CentOS',
        url: document.url,
      };
    for (const ofRelease of releaseErrata(erratum)) {
      const key = erratumKey(ofRelease.release, id);
      const before = held.get(key);
      if (repeated.has(id))
        held.set(key, before === undefined ? ofRelease : merged(before, ofRelease));
      else yield centosEntry(ofRelease);
    }
  }
  yield* remarksOn(faults);
  for (const ofRelease of held.values()) yield centosEntry(ofRelease);
}

/** Each fault once: those told of are taken out. */
function* remarksOn(faults: XmlFault[]): Generator<Remark> {
  for (const { line, problem } of faults.splice(0))
    yield { kind: 'remark', remark: `line ${line} is not well formed: ${problem}; read past` };
}

async function repeatedIds(document: Document): Promise<ReadonlySet<string>> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for await (const element of elementsOf(document, () => undefined)) {
    const id = erratumId(element);
    if (id === null) continue;
    if (met.has(id)) repeated.add(id);
    met.add(id);
  }
  return repeated;
}

async function* elementsOf(
  document: Document,
  onFault: (fault: XmlFault) => void,
): AsyncGenerator<XmlElement> {
  try {
    yield* xmlRecords(document.chunks(), ['opt/*'], {
      onFault,
      isRecord: (name) => erratumId({ name }) !== null,
    });
  } catch (error) {
    throw error instanceof BrokenXml
      ? new BrokenDocument(document.url, error.message, { cause: error })
      : error;
  }
}

/** CEFS puts words on itself (`meta`) beside the errata. */
function saysAnything({ attributes, children }: XmlElement): boolean {
  return (
    attributes.synopsis !== undefined ||
    attributes.packages !== undefined ||
    children.some(({ name }) => name === 'packages')
  );
}

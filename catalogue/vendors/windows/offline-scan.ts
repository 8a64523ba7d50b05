/** Windows Update's offline scan file: every security update, rollup and service pack that it offers, with its files. */
import type { Document, FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { WsusScanFile } from '../../parsers/wsus-scan-file.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { classificationOf } from './scan-categories.ts';
import { scanEntries, type UnderstoodUpdate } from './scan-entries.ts';
import type { ScanProperties, ScanWords } from './scan-facts.ts';
import { ScanPackage, type ScanUpdate } from './scan-package.ts';
import type { PartOfUpdate } from './scan-payload.ts';
import { ScanItem, Unreadable } from './scan-reading.ts';
import { ScanSupersedence } from './scan-supersedence.ts';

const address =
  'https://catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';
/** As much as a cabinet can hold; the file has about 1 GB. */
const maxBytes = 4 * 1024 ** 3;

export const offlineScanPart: Part = {
  key: 'offline-scan',
  label: 'Windows Update offline scan file',
  contents: async (publication: Publication): Promise<PartManifest> => ({
    documents: [await publication.open(address, { maxBytes })],
    whole: true,
  }),
  async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
    for (const document of documents) yield* readScanFile(document);
  },
};

async function* readScanFile(document: Document): AsyncGenerator<FeedItem> {
  const scan = await WsusScanFile.open(document);
  try {
    const scanned = await ScanPackage.read(scan);
    if (scanned.offered().next().done === true)
      throw new BrokenDocument(document.url, 'package.xml in it lists no update');
    yield* readingsOf(scanned, await ScanItem.of(scan, scanned), document.url);
  } finally {
    await scan.close();
  }
}

function* readingsOf(scanned: ScanPackage, reading: ScanItem, url: string): Generator<FeedItem> {
  const understood = new Map<ScanUpdate, UnderstoodUpdate>();
  for (const update of scanned.offered()) {
    const properties = reading.propertiesOf(update);
    const words = reading.wordsOf(update);
    if (properties instanceof Unreadable || words instanceof Unreadable) {
      // Its row stays as it was: better the facts of last month than half of them.
      const problems = [properties, words].flatMap((facts) =>
        facts instanceof Unreadable ? facts.problem : [],
      );
      yield { kind: 'rejection', rejected: update.uuid, reason: problems.join(' '), url };
      continue;
    }
    const kbs = kbsOf(properties, words);
    if (kbs.length === 0)
      yield {
        kind: 'rejection',
        rejected: update.uuid,
        reason: 'It names no KB, so that it is a patch only and not in the KB base.',
        url,
      };
    understood.set(update, { update, properties, words, kbs });
  }

  const titleOf = (id: string) => {
    const category = scanned.byUuid(id);
    const words = category === undefined ? undefined : reading.wordsOf(category);
    return words === undefined || words instanceof Unreadable ? null : words.title;
  };
  const supersedence = new ScanSupersedence(scanned, (update) => understood.get(update)?.kbs ?? []);
  for (const known of understood.values()) {
    const { update } = known;
    const parts: PartOfUpdate[] = [];
    for (const part of scanned.partsOf(update)) {
      const properties = reading.propertiesOf(part);
      if (!(properties instanceof Unreadable)) parts.push({ ...part, properties });
      else
        yield {
          kind: 'rejection',
          rejected: part.uuid,
          reason: `${properties.problem} It is left out of ${known.kbs[0] ?? update.uuid}.`,
          url,
        };
    }
    const offered = {
      ...known,
      parts,
      classification: classificationOf(update.classifications, titleOf),
      products: distinctWords(update.products.map(titleOf)),
      supersedes: supersedence.supersedes(update),
      supersededBy: supersedence.supersededBy(update),
      superseded: supersedence.isSuperseded(update),
      supersededUnnamed: supersedence.unnamedNewer(update),
    };
    yield* scanEntries(offered, scanned.addresses);
  }
}

/** Where the properties name none, the title does so in nearly all cases: 'Update for Windows (KB5034441)'. */
function kbsOf({ kbs }: ScanProperties, { title }: ScanWords): readonly string[] {
  return kbs.length > 0 ? kbs : distinctWords([/\bKB\d{6,7}\b/i.exec(title)?.[0].toUpperCase()]);
}

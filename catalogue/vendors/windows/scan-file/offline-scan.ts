/** Part with Windows Update's offline scan file: every security update, rollup and service pack that it offers, with its files. */
import {
  createRejection,
  type Document,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
} from '../../../definition/feed.ts';
import { BrokenDocument } from '../../../parsers/create-document.ts';
import { WsusScanFile } from '../../../parsers/wsus-scan-file.ts';
import { remarkOnDates } from '../../../values/vendor-dates.ts';
import { distinctWords } from '../../../values/vendor-words.ts';
import { createScanEntries, type DescribedUpdate } from './scan-entries.ts';
import type { ScanProperties, ScanWords } from './scan-facts.ts';
import { ScanPackage, type ScanUpdate } from './scan-package.ts';
import type { PartOfUpdate } from './scan-payload.ts';
import { ReadFailure, ScanReading } from './scan-reading.ts';
import { ScanSupersedence } from './scan-supersedence.ts';

const address =
  'https://catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';
/** Maximum size of a cabinet; the file has about 1 GB. */
const maxBytes = 4 * 1024 ** 3;

export const offlineScanPart: Part = {
  key: 'offline-scan',
  label: 'Windows Update offline scan file',
  contents: async (publication: Publication): Promise<PartManifest> => ({
    documents: [await publication.open(address, { maxBytes })],
    isComplete: true,
  }),
  async *read({ documents }) {
    for (const document of documents) yield* readScanFile(document);
  },
};

async function* readScanFile(document: Document): AsyncGenerator<FeedItem> {
  const scan = await WsusScanFile.open(document);
  try {
    const scanned = await ScanPackage.read(scan);
    if (scanned.listOffered().next().done === true)
      throw new BrokenDocument(document.url, 'package.xml in it lists no update');
    yield* readUpdates(scanned, await ScanReading.read(scan, scanned), document.url);
  } finally {
    await scan.close();
  }
}

function* readUpdates(
  scanned: ScanPackage,
  reading: ScanReading,
  url: string,
): Generator<FeedItem> {
  const described = new Map<ScanUpdate, DescribedUpdate>();
  for (const update of scanned.listOffered()) {
    const properties = reading.getProperties(update);
    const words = reading.getWords(update);
    if (properties instanceof ReadFailure || words instanceof ReadFailure) {
      // Keeps the row as it was: last month's facts are better than half of them.
      const problems = [properties, words].flatMap((facts) =>
        facts instanceof ReadFailure ? facts.problem : [],
      );
      yield createRejection(update.uuid, problems.join(' '), url);
      continue;
    }
    const kbs = findKbs(properties, words);
    if (kbs.length === 0)
      yield createRejection(
        update.uuid,
        'It names no KB, so that it is a patch only and not in the KB base.',
        url,
      );
    if (update.unreadableDate !== null)
      yield* remarkOnDates(update.uuid, { CreationDate: update.unreadableDate });
    described.set(update, { update, properties, words, kbs });
  }

  const getTitle = (id: string) => {
    const category = scanned.byUuid(id);
    const words = category === undefined ? undefined : reading.getWords(category);
    return words === undefined || words instanceof ReadFailure ? null : words.title;
  };
  const supersedence = new ScanSupersedence(scanned, (update) => described.get(update)?.kbs ?? []);
  for (const known of described.values()) {
    const { update } = known;
    const parts: PartOfUpdate[] = [];
    for (const part of scanned.listParts(update)) {
      const properties = reading.getProperties(part);
      if (!(properties instanceof ReadFailure)) parts.push({ ...part, properties });
      else
        yield createRejection(
          part.uuid,
          `${properties.problem} It is left out of ${known.kbs[0] ?? update.uuid}.`,
          url,
        );
    }
    const offered = {
      ...known,
      parts,
      classification: findClassification(update.classifications, getTitle),
      products: distinctWords(update.products.map(getTitle)),
      supersedes: supersedence.supersedes(update),
      supersededBy: supersedence.supersededBy(update),
      superseded: supersedence.isSuperseded(update),
      supersededUnnamed: supersedence.countUnnamedNewer(update),
    };
    yield* createScanEntries(offered, scanned.addresses);
  }
}

/** Falls back to the title, which nearly always names the KB: 'Update for Windows (KB5034441)'. */
function findKbs({ kbs }: ScanProperties, { title }: ScanWords): readonly string[] {
  return kbs.length > 0 ? kbs : distinctWords([/\bKB\d{6,7}\b/i.exec(title)?.[0].toUpperCase()]);
}

/** Names of classifications by Microsoft's fixed ids, so that they match the list's choices whatever the offline scan file states. */
const classifications: Readonly<Record<string, string>> = {
  'e6cf1350-c01b-414d-a61f-263d14d133b4': 'Critical Updates',
  'e0789628-ce08-4437-be74-2495b842f43b': 'Definition Updates',
  'b54e7d24-7add-428f-8b75-90a396fa584f': 'Feature Packs',
  '0fa1201d-4330-4fa8-8ae9-b877473b6441': 'Security Updates',
  '68c5b0a3-d1a6-4553-ae49-01d3a7827828': 'Service Packs',
  'b4832bd8-e735-4761-8daf-37f882276dab': 'Tools',
  '28bc880e-0592-4cbf-8f95-c79b17911d5f': 'Update Rollups',
  'cd5ffd1e-e932-4e3a-bf74-18bf0b1bbd83': 'Updates',
  '3689bdc8-b205-4af4-8d4a-a63924c5e9d5': 'Upgrades',
};

/** @param getTitle returns the file's name of an unknown id; null without one */
function findClassification(
  ids: readonly string[],
  getTitle: (id: string) => string | null,
): string | null {
  for (const id of ids) {
    const name = classifications[id] ?? getTitle(id);
    if (name !== null) return name;
  }
  return null;
}

/** Judges inventories against records of feeds, as the server does with its tables. */
import type { Entry, FeedItem, Part } from '../../definition/feed.ts';
import { affectedWords } from '../../definition/package-status.ts';
import { collect } from '../../testing/collect.ts';
import { feedMirror } from '../../testing/describe-with-mirror.ts';
import { type PublicationOptions, publicationFrom } from '../../testing/publication-from.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { InstalledApplications, judgeApplication } from '../judgement/application-judgement.ts';
import { applicationVerdicts } from '../judgement/application-verdicts.ts';
import { cataloguedRelease } from '../judgement/catalogued-release.ts';
import { InstalledPackages } from '../judgement/installed-packages.ts';
import { packagesOfRecords } from '../judgement/known-packages.ts';
import type { RecordVerdict } from '../judgement/machine-fixes.ts';
import { isOfOtherRepository } from '../judgement/other-repositories.ts';
import { packageRecord } from '../judgement/package-record.ts';
import { packageVerdicts } from '../judgement/package-verdicts.ts';
import { findByKeys } from '../judgement/testing/fixes-by-keys.ts';
import { applicationRelease, windowsUpdate } from '../judgement/update-record.ts';
import {
  countVerdicts,
  type JudgedItem,
  notJudged,
  type VerdictCounts,
} from '../judgement/verdict.ts';
import { judgeWindows } from '../judgement/windows-judgement.ts';
import { productKey, productOfMachine } from '../judgement/windows-products.ts';
import { kbVerdicts } from '../judgement/windows-verdicts.ts';
import type { InventoryReading } from '../machine.ts';

export interface JudgedInventory {
  readonly reading: InventoryReading;
  /** By the natural key of the record, without records that are not missing. */
  readonly records: ReadonlyMap<string, RecordVerdict>;
  readonly items: readonly JudgedItem[];
  readonly counts: VerdictCounts;
  /** CVEs without a fix, of installed packages. */
  readonly unfixed: readonly string[];
}

/** Reads all items of a feed's part from the mirror. */
export async function mirrorItems(
  part: Part,
  options?: PublicationOptions,
): Promise<readonly FeedItem[]> {
  return collect(part.read(await part.contents(publicationFrom(feedMirror, options))));
}

const filterEntries = (items: readonly FeedItem[]): readonly Entry[] =>
  items.filter((item) => item.kind === 'entry');

export function judgedPackages(text: string, items: readonly FeedItem[]): JudgedInventory {
  const reading = readInventory(text);
  const { machine } = reading;
  const release = cataloguedRelease(machine);
  if (release === null) throw new Error('The inventory names no release of the catalogue');
  const entries = filterEntries(items);
  const installed = new InstalledPackages(machine.packages);
  const records = findByKeys(entries, release, machine);
  const sources = new Set(
    new InstalledPackages(machine.packages.filter((one) => !isOfOtherRepository(one))).sources,
  );
  const unfixed = items
    .filter((item) => item.kind === 'status')
    .filter(
      (one) =>
        affectedWords.includes(one.word) &&
        release.names.includes(one.release) &&
        sources.has(one.package),
    );
  const ofRelease = entries
    .map((entry) => packageRecord(entry, release))
    .filter((record) => record !== null);
  if (ofRelease.length === 0)
    return answered(
      reading,
      new Map(),
      machine.packages.map(({ name }) => ({ name, verdict: notJudged('releaseNotInCatalogue') })),
    );
  const verdicts = packageVerdicts({
    packages: machine.packages,
    installed,
    release: release.names[0] ?? '',
    hasStreams: release.streams,
    records: records.values(),
    known: packagesOfRecords(ofRelease),
    unfixed: new Set(unfixed.map((one) => one.package)),
  });
  return answered(
    reading,
    records,
    verdicts,
    unfixed.map(({ cve }) => cve),
  );
}

export function judgedWindows(text: string, items: readonly FeedItem[]): JudgedInventory {
  const reading = readInventory(text);
  const { machine } = reading;
  const product = productOfMachine(machine);
  if (product === null) throw new Error('The inventory names no product of the guide');
  const updates = filterEntries(items)
    .filter(({ row }) => productKey(String(row['productName'] ?? '')) === product)
    .map((entry) => windowsUpdate(entry))
    .filter((update) => update !== null);
  const all = judgeWindows(machine, updates);
  const records = new Map([...all].filter(([, { kind }]) => kind !== 'notMissing'));
  return answered(reading, records, kbVerdicts(machine, { product, updates, records: all }));
}

export function judgedApplications(text: string, items: readonly FeedItem[]): JudgedInventory {
  const reading = readInventory(text);
  const { applications } = reading.machine;
  const releases = filterEntries(items).map((entry) => applicationRelease(entry));
  const installed = new InstalledApplications(applications);
  const all = releases.map((one) => [one.key, judgeApplication(one, installed)] as const);
  const records = new Map(all.filter(([, { kind }]) => kind !== 'notMissing'));
  return answered(reading, records, applicationVerdicts(applications, releases));
}

const answered = (
  reading: InventoryReading,
  records: JudgedInventory['records'],
  items: readonly JudgedItem[],
  unfixed: readonly string[] = [],
): JudgedInventory => ({ reading, records, items, counts: countVerdicts(items), unfixed });

/** Formats records in the order of their keys: `missing ELSA-2022-4803: rsyslog 1 → 2`. */
export const recordLines = ({ records }: JudgedInventory): readonly string[] =>
  [...records]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, verdict]) => {
      if (verdict.kind === 'notMissing') return key;
      if (verdict.kind === 'notJudged') return `notJudged ${verdict.reason} ${key}`;
      const pairs = verdict.evidence.map(
        ({ name, installed, fixed }) => `${name} ${installed} → ${fixed}`,
      );
      const kind = verdict.kind === 'uncertain' ? `uncertain ${verdict.reason}` : verdict.kind;
      return `${kind} ${key}: ${pairs.join(', ')}`;
    });

/** Formats items: `libldb2 notJudged sourceUnknown`. */
export const itemLines = ({ items }: JudgedInventory): readonly string[] =>
  items.map(({ name, verdict }) =>
    ['reason' in verdict ? `${verdict.kind} ${verdict.reason}` : verdict.kind]
      .map((words) => `${name} ${words}`)
      .join(''),
  );

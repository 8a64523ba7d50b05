/** Parser of CISA's catalogue of known exploited vulnerabilities. It parses the complete text: a published copy once ended mid-string. */
import {
  createRejection,
  createRemark,
  type Document,
  type Rejection,
  type Remark,
  type RiskItem,
} from '../definition/feed.ts';
import type { KnownExploited } from '../definition/risk-facts.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { parseJsonDocument } from '../parsers/read-json-document.ts';
import { getMember } from '../values/object-members.ts';
import { findUnreadableDate, vendorDate } from '../values/vendor-dates.ts';
import { distinctWords, toCveId, toWord } from '../values/vendor-words.ts';

export interface KevCatalogue {
  /** Version of the release; releases of one day share it. */
  readonly version: string | null;
  /** Epoch milliseconds. */
  readonly released: number;
  readonly statesCount: boolean;
  readonly entries: readonly unknown[];
}

/** @throws BrokenDocument unless it is a catalogue with a date and as many entries as it states, at least one */
export async function parseKevCatalogue(document: Document): Promise<KevCatalogue> {
  const broken = (problem: string) => new BrokenDocument(document.url, problem);
  const catalogue = await parseJsonDocument(document);
  const title = toWord(getMember(catalogue, 'title'));
  if (title !== null && !/known exploited vulnerabilities/i.test(title))
    throw broken(
      `it is ${formatWritten(title)}, not the catalogue of known exploited vulnerabilities`,
    );
  const entries = getMember(catalogue, 'vulnerabilities');
  if (!Array.isArray(entries)) throw broken('it has no array "vulnerabilities"');
  if (entries.length === 0) throw broken('it contains no vulnerability');
  const released = vendorDate(getMember(catalogue, 'dateReleased'));
  if (released === null) throw broken('its "dateReleased" is not a date that can be read');
  const count = getMember(catalogue, 'count') ?? null;
  if (count !== null && toWord(count) !== String(entries.length))
    throw broken(
      `its count of ${formatWritten(count)} differs from the number of its entries, ${entries.length}`,
    );
  return {
    version: toWord(getMember(catalogue, 'catalogVersion')),
    released,
    statesCount: count !== null,
    entries,
  };
}

/** Reads each CVE once: the first entry counts. */
export function* readKevItems(
  { entries, statesCount }: KevCatalogue,
  url: string,
): Generator<RiskItem | Rejection | Remark> {
  if (!statesCount) yield createRemark('it does not state how many entries it has');
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const cve = toCveId(getMember(entry, 'cveID'));
    const dateAdded = parseDay(getMember(entry, 'dateAdded'));
    const problem = findProblem(entry, cve, seen);
    if (cve === null || dateAdded === null || problem !== null) {
      yield createRejection(
        cve ?? `entry ${index + 1}`,
        problem ?? `its dateAdded ${formatWritten(getMember(entry, 'dateAdded'))} is not a date`,
        url,
        cve === null ? [] : [cve],
      );
      continue;
    }
    seen.add(cve);
    yield { kind: 'risk', facts: toKnownExploited(cve, dateAdded, entry) };
    yield* findOddities(cve, entry);
  }
}

/** Returns why an entry's id cannot be used; null when it can. */
function findProblem(entry: unknown, cve: string | null, seen: ReadonlySet<string>): string | null {
  if (cve !== null) return seen.has(cve) ? 'it occurs twice; the first entry was read' : null;
  const written = getMember(entry, 'cveID');
  return written === undefined
    ? 'it has no cveID'
    : `its cveID ${formatWritten(written)} is not a CVE id`;
}

function toKnownExploited(cve: string, dateAdded: number, entry: unknown): KnownExploited {
  const text = (name: string) => {
    const value = getMember(entry, name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    kind: 'kev',
    cve,
    vendorProject: text('vendorProject'),
    product: text('product'),
    name: text('vulnerabilityName'),
    description: text('shortDescription'),
    requiredAction: text('requiredAction'),
    dateAdded,
    dueDate: parseDay(getMember(entry, 'dueDate')),
    ransomware: parseRansomwareUse(getMember(entry, 'knownRansomwareCampaignUse')),
    notes: text('notes'),
    cwes: parseCweIds(entry) ?? [],
  };
}

const texts = [
  'vendorProject',
  'product',
  'vulnerabilityName',
  'shortDescription',
  'requiredAction',
  'notes',
];

/** Reads ids from a list or from one text; null for anything else. */
function parseCweIds(entry: unknown): string[] | null {
  const written = getMember(entry, 'cwes') ?? [];
  const list = typeof written === 'string' ? written.split(/[\s,;]+/) : written;
  return Array.isArray(list) && list.every((cwe) => typeof cwe === 'string')
    ? distinctWords(list)
    : null;
}

/** Remarks on values of an accepted entry that cannot be read. */
function* findOddities(cve: string, entry: unknown): Generator<Remark> {
  const remark = (text: string): Remark => ({ kind: 'remark', remark: text, keys: [cve] });
  for (const name of texts)
    if (typeof (getMember(entry, name) ?? '') !== 'string')
      yield remark(`${cve}: its ${name} is not a text; it is left empty`);
  if (parseCweIds(entry) === null)
    yield remark(`${cve}: its cwes are not a list of ids; they are left empty`);
  const due = getMember(entry, 'dueDate');
  if (findUnreadableDate(due, parseDay) !== null)
    yield remark(`${cve}: its dueDate ${formatWritten(due)} is not a date; it is left empty`);
  const use = getMember(entry, 'knownRansomwareCampaignUse');
  if ((use ?? '') !== '' && parseRansomwareUse(use) === null)
    yield remark(
      `${cve}: its knownRansomwareCampaignUse ${formatWritten(use)} is neither Known nor Unknown; it is left empty`,
    );
}

function parseRansomwareUse(value: unknown): boolean | null {
  const word = toWord(value)?.toLowerCase();
  return word === 'known' ? true : word === 'unknown' ? false : null;
}

const dayMilliseconds = 86_400_000;

function parseDay(value: unknown): number | null {
  const time = typeof value === 'string' ? vendorDate(value) : null;
  return time === null ? null : Math.floor(time / dayMilliseconds) * dayMilliseconds;
}

function formatWritten(value: unknown): string {
  return JSON.stringify(value ?? '').slice(0, 80);
}

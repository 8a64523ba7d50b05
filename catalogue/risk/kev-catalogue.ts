/** CISA's catalogue of known exploited vulnerabilities, parsed as a whole: a published copy once ended in the middle of a string. */
import type { Document, Rejection, Remark, RiskItem } from '../definition/feed.ts';
import type { KnownExploited } from '../definition/risk-facts.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import { vendorDate } from '../values/vendor-dates.ts';
import { cveIdOf, distinctWords, wordOf } from '../values/vendor-words.ts';
import { memberOf } from './json-values.ts';

export interface KevCatalogue {
  /** Of the release; several releases of one day share it. */
  readonly version: string | null;
  /** Epoch milliseconds. */
  readonly released: number;
  readonly statesCount: boolean;
  readonly entries: readonly unknown[];
}

/** Throws BrokenDocument on anything but a catalogue with a date and as many entries as it counts, at least one. */
export async function parseKevCatalogue(document: Document): Promise<KevCatalogue> {
  const broken = (problem: string) => new BrokenDocument(document.url, problem);
  const text = await document.text();
  let catalogue: unknown;
  try {
    catalogue = JSON.parse(text);
  } catch (error) {
    throw broken(`it is not valid JSON: ${(error as Error).message}`);
  }
  const title = wordOf(memberOf(catalogue, 'title'));
  if (title !== null && !/known exploited vulnerabilities/i.test(title))
    throw broken(`it is ${asWritten(title)}, not the catalogue of known exploited vulnerabilities`);
  const entries = memberOf(catalogue, 'vulnerabilities');
  if (!Array.isArray(entries)) throw broken('it has no array "vulnerabilities"');
  if (entries.length === 0) throw broken('there is no vulnerability in it');
  const released = vendorDate(memberOf(catalogue, 'dateReleased'));
  if (released === null) throw broken('its "dateReleased" is not a date that can be read');
  const count = memberOf(catalogue, 'count') ?? null;
  if (count !== null && wordOf(count) !== String(entries.length))
    throw broken(
      `its count of ${asWritten(count)} differs from the number of its entries, ${entries.length}`,
    );
  return {
    version: wordOf(memberOf(catalogue, 'catalogVersion')),
    released,
    statesCount: count !== null,
    entries,
  };
}

/** Each CVE once: the first entry counts. */
export function* kevItems(
  { entries, statesCount }: KevCatalogue,
  url: string,
): Generator<RiskItem | Rejection | Remark> {
  if (!statesCount) yield { kind: 'remark', remark: 'it does not state how many entries it has' };
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const cve = cveIdOf(memberOf(entry, 'cveID'));
    const dateAdded = calendarDay(memberOf(entry, 'dateAdded'));
    const problem = problemOf(entry, cve, seen);
    if (cve === null || dateAdded === null || problem !== null) {
      yield {
        kind: 'rejection',
        rejected: cve ?? `entry ${index + 1}`,
        keys: cve === null ? [] : [cve],
        reason: problem ?? `its dateAdded ${asWritten(memberOf(entry, 'dateAdded'))} is not a date`,
        url,
      };
      continue;
    }
    seen.add(cve);
    yield { kind: 'risk', facts: knownExploited(cve, dateAdded, entry) };
    yield* oddities(cve, entry);
  }
}

/** What is wrong with the id of an entry; null when nothing is. */
function problemOf(entry: unknown, cve: string | null, seen: ReadonlySet<string>): string | null {
  if (cve !== null)
    return seen.has(cve) ? 'it is there a second time; the first entry was read' : null;
  const written = memberOf(entry, 'cveID');
  return written === undefined ? 'it has no cveID' : `its cveID ${asWritten(written)} is no CVE id`;
}

function knownExploited(cve: string, dateAdded: number, entry: unknown): KnownExploited {
  const text = (name: string) => {
    const value = memberOf(entry, name);
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
    dueDate: calendarDay(memberOf(entry, 'dueDate')),
    ransomware: ransomwareUse(memberOf(entry, 'knownRansomwareCampaignUse')),
    notes: text('notes'),
    cwes: cweIds(entry) ?? [],
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

/** Ids in one text are read as a list is; null for anything else. */
function cweIds(entry: unknown): string[] | null {
  const written = memberOf(entry, 'cwes') ?? [];
  const list = typeof written === 'string' ? written.split(/[\s,;]+/) : written;
  return Array.isArray(list) && list.every((cwe) => typeof cwe === 'string')
    ? distinctWords(list)
    : null;
}

/** What is there and was not understood, although the entry was kept. */
function* oddities(cve: string, entry: unknown): Generator<Remark> {
  const remark = (text: string): Remark => ({ kind: 'remark', remark: text, keys: [cve] });
  for (const name of texts)
    if (typeof (memberOf(entry, name) ?? '') !== 'string')
      yield remark(`${cve}: its ${name} is not a text; it is left empty`);
  if (cweIds(entry) === null)
    yield remark(`${cve}: its cwes are not a list of ids; they are left empty`);
  const due = memberOf(entry, 'dueDate');
  if (wordOf(due) !== null && calendarDay(due) === null)
    yield remark(`${cve}: its dueDate ${asWritten(due)} is not a date; it is left empty`);
  const use = memberOf(entry, 'knownRansomwareCampaignUse');
  if (wordOf(use) !== null && ransomwareUse(use) === null)
    yield remark(
      `${cve}: its knownRansomwareCampaignUse ${asWritten(use)} is neither Known nor Unknown; it is left empty`,
    );
}

function ransomwareUse(value: unknown): boolean | null {
  const word = wordOf(value)?.toLowerCase();
  return word === 'known' ? true : word === 'unknown' ? false : null;
}

const dayMilliseconds = 86_400_000;

function calendarDay(value: unknown): number | null {
  const time = typeof value === 'string' ? vendorDate(value) : null;
  return time === null ? null : Math.floor(time / dayMilliseconds) * dayMilliseconds;
}

function asWritten(value: unknown): string {
  return JSON.stringify(value ?? '').slice(0, 80);
}

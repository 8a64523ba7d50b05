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
  /** As the catalogue states it; null where it states none. */
  readonly count: number | null;
  readonly entries: readonly unknown[];
}

/** Throws BrokenDocument on anything but a catalogue with a date and at least one entry. */
export async function parseKevCatalogue(document: Document): Promise<KevCatalogue> {
  const broken = (problem: string) => new BrokenDocument(document.url, problem);
  const text = await document.text();
  let catalogue: unknown;
  try {
    catalogue = JSON.parse(text);
  } catch (error) {
    throw broken(`it is not valid JSON: ${(error as Error).message}`);
  }
  const entries = memberOf(catalogue, 'vulnerabilities');
  if (!Array.isArray(entries)) throw broken('it has no array "vulnerabilities"');
  if (entries.length === 0) throw broken('there is no vulnerability in it');
  const released = vendorDate(memberOf(catalogue, 'dateReleased'));
  if (released === null) throw broken('its "dateReleased" is not a date that can be read');
  const count = memberOf(catalogue, 'count');
  return {
    version: wordOf(memberOf(catalogue, 'catalogVersion')),
    released,
    count: typeof count === 'number' ? count : null,
    entries,
  };
}

/** Each CVE once: the first entry counts. */
export function* kevItems(
  { entries, count }: KevCatalogue,
  url: string,
): Generator<RiskItem | Rejection | Remark> {
  if (count !== entries.length)
    yield {
      kind: 'remark',
      remark: `its count${count === null ? '' : ` of ${count}`} differs from the number of its entries, ${entries.length}`,
    };
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
  const cwes = memberOf(entry, 'cwes');
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
    cwes: Array.isArray(cwes) ? distinctWords(cwes) : [],
  };
}

/** What is there and was not understood, although the entry was kept. */
function* oddities(cve: string, entry: unknown): Generator<Remark> {
  const remark = (text: string): Remark => ({ kind: 'remark', remark: text, keys: [cve] });
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

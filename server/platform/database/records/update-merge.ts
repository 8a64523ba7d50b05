/** Merges the records of an update: All patches shows one of them with the merged values of all; the others are folded under it. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Cell, StoredRow } from '../rows/stored-row.ts';
import { completeRow, readIndexWords } from './record-index-row.ts';

/** Columns that are merged. */
export const mergedColumns = [
  'release',
  'release_folded',
  'cve',
  'cve_folded',
  'packages',
  'packages_folded',
  'keyword',
  'severity',
  'severity_folded',
  'severity_rank',
  'vendor_severity',
  'vendor_severity_folded',
  'superseded',
] as const;

/** The order in which lists of one source provide the representative of an update. */
const preference = new Map<Cell, number>(catalogueLists.map(({ key }, index) => [key, index]));

interface Member {
  readonly list: string;
  /** Not the id, which tells the order in which syncs read the records: the same records would be shown in another way elsewhere. */
  readonly natural_key: string;
}

/** Returns the record that represents the update. */
export function getRepresentative<Row extends Member>(members: readonly Row[]): Row | undefined {
  return members.toSorted(comparePreference)[0];
}

const comparePreference = (a: Member, b: Member): number =>
  (preference.get(a.list) ?? Infinity) - (preference.get(b.list) ?? Infinity) ||
  compareText(a.natural_key, b.natural_key);

/**
 * Returns the row of the representative: with the values of all members, the highest severity, and superseded if all members are.
 * @param members - The own rows of all records of the update, including this one.
 */
export function mergeRows(row: StoredRow, members: readonly StoredRow[]): StoredRow {
  if (members.length < 2) return row;
  const release = readLines(members, 'release_folded').toSorted();
  const cves = readLines(members, 'cve_folded').toSorted(compareCves);
  const packages = readLines(members, 'packages_folded').toSorted();
  const mostSevere = findMostSevere(members);
  const merged: StoredRow = {
    ...row,
    keyword: '',
    release: joinLines(readLines(members, 'release').toSorted()),
    release_folded: joinLines(release),
    cve: joinLines(readLines(members, 'cve').toSorted(compareCves)),
    cve_folded: joinLines(cves),
    packages: joinLines(readLines(members, 'packages').toSorted()),
    packages_folded: joinLines(packages),
    severity: mostSevere['severity'] ?? null,
    severity_folded: mostSevere['severity_folded'] ?? null,
    severity_rank: mostSevere['severity_rank'] ?? null,
    vendor_severity: mostSevere['vendor_severity'] ?? null,
    vendor_severity_folded: mostSevere['vendor_severity_folded'] ?? null,
    superseded: isSuperseded(members),
  };
  return completeRow(merged, readIndexWords(members));
}

/** Returns the distinct lines of a column. */
function readLines(members: readonly StoredRow[], column: string): readonly string[] {
  const all = members.flatMap(({ [column]: value }) =>
    typeof value === 'string' ? value.split('\n') : [],
  );
  return [...new Set(all)];
}

const joinLines = (all: readonly string[]) => (all.length === 0 ? null : all.join('\n'));

/** Compares by year and number, so that CVE-2024-999 precedes CVE-2024-10000. */
function compareCves(a: string, b: string): number {
  const [, yearA = '', numberA = ''] = a.split('-');
  const [, yearB = '', numberB = ''] = b.split('-');
  return (
    compareText(yearA, yearB) ||
    numberA.length - numberB.length ||
    compareText(numberA, numberB) ||
    compareText(a, b)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Of several, the first one for which the vendor has a word. */
function findMostSevere(members: readonly StoredRow[]): StoredRow {
  const rank = (member: StoredRow) => Number(member['severity_rank'] ?? -1);
  const hasWord = (member: StoredRow) => Number((member['vendor_severity'] ?? null) !== null);
  const toMember = (member: StoredRow) => ({
    list: String(member['list']),
    natural_key: String(member['natural_key']),
  });
  const sorted = members.toSorted(
    (a, b) =>
      rank(b) - rank(a) || hasWord(b) - hasWord(a) || comparePreference(toMember(a), toMember(b)),
  );
  return sorted[0] ?? {};
}

/** Returns null if no record says. */
function isSuperseded(members: readonly StoredRow[]): boolean | null {
  const values = members.flatMap(({ superseded: value }) => value ?? []);
  return values.length === 0 ? null : values.every((value) => value === true);
}

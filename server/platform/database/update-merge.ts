/** One record of each update is shown, and says what all of its records say together; the others are folded under it. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { updateScope } from './record-risk-store.ts';
import type { Cell, StoredRow } from './stored-row.ts';

/** The columns in which the records of an update are brought together. */
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
  'superseded',
  'vendor_exploited',
] as const;

/** Lists of one source in the order in which one of their records stands for the update. */
const preference = new Map<Cell, number>(catalogueLists.map(({ key }, place) => [key, place]));

interface Member {
  readonly list: string;
  readonly record_id: number;
}

/** Which of an update's records stands for it. */
export function firstOf<Row extends Member>(members: readonly Row[]): Row | undefined {
  return members.toSorted(
    (one, other) =>
      (preference.get(one.list) ?? Infinity) - (preference.get(other.list) ?? Infinity) ||
      one.record_id - other.record_id,
  )[0];
}

/**
 * The row of the record that stands for an update. `members`: what each of the update's records says by itself, this one's among
 * them. Several values are brought together, the highest severity holds, and an update is superseded where all of its records are.
 */
export function mergedRow(row: StoredRow, members: readonly StoredRow[]): StoredRow {
  if (members.length < 2) return row;
  const release = lines(members, 'release_folded').toSorted();
  const cves = lines(members, 'cve_folded').toSorted(byCve);
  const packages = lines(members, 'packages_folded').toSorted();
  const most = mostSevere(members);
  return {
    ...row,
    release: text(lines(members, 'release').toSorted()),
    release_folded: text(release),
    cve: text(lines(members, 'cve').toSorted(byCve)),
    cve_folded: text(cves),
    packages: text(lines(members, 'packages').toSorted()),
    packages_folded: text(packages),
    keyword: lines(members, 'keyword').toSorted().join('\n'),
    severity: most['severity'] ?? null,
    severity_folded: most['severity_folded'] ?? null,
    severity_rank: most['severity_rank'] ?? null,
    superseded: said(members, 'superseded', (values) => values.every((value) => value === true)),
    vendor_exploited: said(members, 'vendor_exploited', (values) => values.includes(true)),
    risk_scope: updateScope(String(row['list'])),
    own_cve_folded: row['cve_folded'] ?? null,
    own_vendor_exploited: row['vendor_exploited'] ?? null,
  };
}

/** None twice. */
function lines(members: readonly StoredRow[], column: string): readonly string[] {
  const all = members.flatMap(({ [column]: value }) =>
    typeof value === 'string' ? value.split('\n') : [],
  );
  return [...new Set(all)];
}

const text = (all: readonly string[]) => (all.length === 0 ? null : all.join('\n'));

/** By year and number: CVE-2024-999 before CVE-2024-10000. */
function byCve(one: string, other: string): number {
  const [, year = '', number = ''] = one.split('-');
  const [, otherYear = '', otherNumber = ''] = other.split('-');
  return (
    inOrder(year, otherYear) ||
    number.length - otherNumber.length ||
    inOrder(number, otherNumber) ||
    inOrder(one, other)
  );
}

function inOrder(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function mostSevere(members: readonly StoredRow[]): StoredRow {
  const rank = (member: StoredRow) => Number(member['severity_rank'] ?? -Infinity);
  return members.reduce((most, member) => (rank(member) > rank(most) ? member : most));
}

/** Null where no record says anything. */
function said(
  members: readonly StoredRow[],
  column: string,
  together: (values: readonly Cell[]) => boolean,
): boolean | null {
  const values = members.flatMap(({ [column]: value }) => value ?? []);
  return values.length === 0 ? null : together(values);
}

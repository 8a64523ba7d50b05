/** Sentences that answer whether a CVE concerns the reader: where it is fixed, and what nobody knows. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { MatrixCell, Vulnerability } from '@patch/contract/records/vulnerability-endpoint.ts';
import { getFreshness } from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { dayDate } from '../../values/day-date.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { groupFixes } from './group-fixes.ts';

const dayMs = 86_400_000;

/** A vendor that published nothing for this long after a CVE may still have fixed it. */
const fixExpectedMs = 180 * dayMs;

/** More releases or vendors are counted. */
const maxNames = 4;

const and = new Intl.ListFormat('en-GB');

export interface ExposureFacts {
  readonly vulnerability: Pick<Vulnerability, 'matrix' | 'row'>;
  readonly sources: readonly SourceState[];
  readonly now: number;
}

/** Returns for example 'Fixed for AlmaLinux 8 and 9 (61 to 89 days after publication).' */
export function describeExposure({ vulnerability, sources, now }: ExposureFacts): string {
  const { matrix, row } = vulnerability;
  const published = typeof row['published'] === 'number' ? row['published'] : null;
  const first = groupFixes(matrix).map((release) => release.first);
  const fixed = first.filter(({ state }) => state === 'fixed');
  const listed = first.filter(({ state }) => state === 'listed');
  return [
    fixed.length === 0
      ? 'No record here fixes it.'
      : `Fixed for ${listProducts(fixed)}${describeDays(fixed)}.`,
    listed.length === 0 ? null : `Listed without a fix for ${listProducts(listed)}.`,
    describeUnknown(findUnknown(matrix, sources, { published, now })),
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

/** Returns 'AlmaLinux 8 and 9, Rocky Linux 8 and Microsoft (37 products)'. */
function listProducts(cells: readonly MatrixCell[]): string {
  const vendors = Map.groupBy(cells, ({ vendor }) => vendor);
  const names = [...vendors].map(([vendor, own]) => nameReleases(vendor, own));
  return joinNames(names, 'vendors');
}

function nameReleases(vendor: string, cells: readonly MatrixCell[]): string {
  const releases = [
    ...new Set(cells.map(({ release }) => release).filter((name) => name !== null)),
  ];
  if (releases.length === 0) return vendor;
  if (releases.length > maxNames) return `${vendor} (${formatNumber(releases.length)} products)`;
  const prefix = `${vendor} `;
  const isShort = releases.every((release) => release.startsWith(prefix));
  if (!isShort) return and.format(releases.toSorted(byNumber));
  return `${prefix}${and.format(releases.map((release) => release.slice(prefix.length)).toSorted(byNumber))}`;
}

const byNumber = new Intl.Collator('en', { numeric: true }).compare;

function joinNames(names: readonly string[], others: string): string {
  if (names.length <= maxNames) return and.format(names);
  const more = names.length - maxNames + 1;
  return and.format([...names.slice(0, maxNames - 1), `${formatNumber(more)} more ${others}`]);
}

function describeDays(cells: readonly MatrixCell[]): string {
  const days = cells.map((cell) => cell.days).filter((count) => count !== null);
  if (days.length === 0) return '';
  const [first, last] = [Math.min(...days), Math.max(...days)];
  if (last <= 0)
    return first === last && first === 0 ? ' (on the day of publication)' : ' (before publication)';
  const range =
    first === last ? count(last) : `${formatNumber(Math.max(0, first))} to ${count(last)}`;
  return ` (${range} after publication)`;
}

const count = (days: number) => `${formatNumber(days)} ${days === 1 ? 'day' : 'days'}`;

interface UnknownSource {
  readonly vendor: string;
  /** Day of its newest record; null for a source that was never read. */
  readonly silentSince: number | null;
}

/** Returns the vendors whose source says nothing about the CVE and could not have said it. */
function findUnknown(
  matrix: readonly MatrixCell[],
  sources: readonly SourceState[],
  { published, now }: { readonly published: number | null; readonly now: number },
): readonly UnknownSource[] {
  const known = new Set(
    matrix.filter(({ recordId }) => recordId !== null).map(({ vendor }) => vendor),
  );
  const unknown = new Map<string, UnknownSource>();
  for (const { vendor, list, readAt } of matrix) {
    if (known.has(vendor)) continue;
    if (readAt === null) unknown.set(vendor, { vendor, silentSince: null });
    const source = sources.find((one) => one.source === findSource(list));
    const newest = source?.releases.newest?.releaseDate ?? null;
    if (source === undefined || newest === null) continue;
    const isSilent = ['silent', 'stale'].includes(getFreshness(source, now));
    if (isSilent && (published === null || newest < published + fixExpectedMs))
      unknown.set(vendor, { vendor, silentSince: newest });
  }
  return [...unknown.values()];
}

const findSource = (list: string) => catalogueLists.find(({ key }) => key === list)?.source;

function describeUnknown(unknown: readonly UnknownSource[]): string | null {
  if (unknown.length === 0) return null;
  const names = joinNames(
    unknown.map(({ vendor }) => vendor),
    'vendors',
  );
  const [only] = unknown;
  if (unknown.length > 1 || only === undefined)
    return `Unknown for ${names}: their sources are silent or were never read.`;
  return only.silentSince === null
    ? `Unknown for ${names}: the source was never read.`
    : `Unknown for ${names}: the source is silent since ${dayDate(only.silentSince, 'UTC')}.`;
}

/** Returns the reasons to hurry: known exploitation, ransomware, a due date that has passed. */
export function listAlarms(row: Vulnerability['row'], now: number): readonly string[] {
  const { exploitedSince, dueDate } = row;
  return [
    typeof exploitedSince === 'number'
      ? `Known exploited since ${dayDate(exploitedSince, 'UTC')}`
      : null,
    row['ransomware'] === true ? 'Used by ransomware' : null,
    typeof dueDate === 'number' && dueDate + dayMs <= now
      ? `Due date of CISA passed on ${dayDate(dueDate, 'UTC')}`
      : null,
  ].filter((alarm) => alarm !== null);
}

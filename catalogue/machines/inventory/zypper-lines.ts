/**
 * Reads the tables of `zypper search --installed-only --details` and `zypper packages --installed-only` in any language: by their bars,
 * the line of dashes and their values. Tables of updates and patches are reported, because they do not list what is installed.
 * @see https://github.com/openSUSE/zypper/blob/master/src/Table.cc
 */
import { isRpmArchitecture } from './architectures.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';
import type { MachineDraft } from './machine-draft.ts';
import { parseZypperPackage } from './rpm-lines.ts';

const maxRowLength = 1024;
/** Lines of progress above a table: repositories that are refreshed, then two steps. */
const maxProgressLines = 3;

const ruler = /^-+(?:\+-+){3,8}$/;
/** `Loading repository data...`, `Retrieving repository 'Main' metadata ....[done]`: in any language, without a bar. */
const progress = /^\p{L}[^|]{2,200}(?:\.{3}|…|\.\[[^|\]]{1,30}\])$/u;
/** The command that zypper of SUSE names below the table. */
const extendedSearch = /'zypper search-packages'/;

export const readZypperTable: LineReader = (lines, at, draft) => {
  const text = lines[at]?.text ?? '';
  if (extendedSearch.test(text) || isProgress(lines, at)) {
    draft.countUnderstood('rpm');
    return 1;
  }
  if (!isHeading(lines, at)) return 0;
  const columns = splitCells(text).length;
  let end = at + 2;
  while (isRow(lines[end]?.text, columns)) end += 1;
  const rows = lines.slice(at + 2, end).map((line) => ({ line, cells: splitCells(line.text) }));
  const form = rowForms.find(({ accepts }) => rows.every(({ cells }) => accepts(cells)));
  if (rows.length === 0 || form === undefined) {
    const heading = lines[at] as InventoryLine;
    draft.addUnreadable(heading, 'zypper does not list installed packages here; use rpm -qa', {
      lines: end - at,
    });
    return end - at;
  }
  draft.countUnderstood('rpm', 2);
  const kind = form.kind === null ? null : findPackageKind(rows, form.kind);
  for (const { line, cells } of rows)
    readRow(line, form.select(cells), draft, {
      isInstalled: /^i/i.test(cells[0] ?? ''),
      isPackage: form.kind === null || cells[form.kind] === kind,
    });
  return end - at;
};

interface RowForm {
  readonly accepts: (cells: readonly string[]) => boolean;
  /** Column of the kind: package, pattern, patch; null where all rows are packages. */
  readonly kind: number | null;
  readonly select: (cells: readonly string[]) => RowCells;
}
interface RowCells {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

const isStatus = (cell = '') => /^(?:|[ivl!][+l]?)$/i.test(cell);
/** Rows that have no architecture print `(any)` or nothing. */
const isArchitecture = (cell = '') =>
  isRpmArchitecture(cell) || /^(?:src|nosrc|\(.*\)|)$/.test(cell);

/** A table of updates also ends with the architecture, but has two versions. */
const rowForms: readonly RowForm[] = [
  {
    accepts: (cells) =>
      cells.length === 6 &&
      isStatus(cells[0]) &&
      /^\p{L}+$/u.test(cells[2] ?? '') &&
      isArchitecture(cells[4]),
    kind: 2,
    select: ([, name = '', , version = '', architecture = '']) => ({ name, version, architecture }),
  },
  {
    accepts: (cells) => cells.length === 5 && isStatus(cells[0]) && isArchitecture(cells[4]),
    kind: null,
    select: ([, , name = '', version = '', architecture = '']) => ({ name, version, architecture }),
  },
];

/** English kinds that are not packages. In other languages the kind of most rows is that of packages. */
const otherKinds: ReadonlySet<string> = new Set([
  'application',
  'patch',
  'pattern',
  'product',
  'srcpackage',
]);

function findPackageKind(
  rows: readonly { readonly cells: readonly string[] }[],
  column: number,
): string | null {
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    const kind = cells[column] ?? '';
    if (!otherKinds.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function readRow(
  line: InventoryLine,
  { name, version, architecture }: RowCells,
  draft: MachineDraft,
  { isInstalled, isPackage }: { readonly isInstalled: boolean; readonly isPackage: boolean },
): void {
  const found = isInstalled && isPackage ? parseZypperPackage(name, version, architecture) : null;
  if (found !== null) draft.addPackage(found);
  if (found === null && isInstalled && isPackage)
    draft.addUnreadable(line, 'No package can have this name or version', {
      trouble: 'impossibleName',
    });
  else draft.countUnderstood('rpm');
}

const isHeading = (lines: readonly InventoryLine[], at: number) => {
  const text = lines[at]?.text ?? '';
  const below = lines[at + 1]?.text ?? '';
  return (
    text.length <= maxRowLength &&
    ruler.test(below) &&
    splitCells(text).length === below.split('+').length
  );
};

const isProgress = (lines: readonly InventoryLine[], at: number) => {
  if (!progress.test(lines[at]?.text ?? '')) return false;
  for (let next = at + 1; next <= at + maxProgressLines; next += 1) {
    if (isHeading(lines, next)) return true;
    if (!progress.test(lines[next]?.text ?? '')) return false;
  }
  return false;
};

const isRow = (text: string | undefined, columns: number) =>
  text !== undefined && text.length <= maxRowLength && splitCells(text).length === columns;

const splitCells = (text: string): string[] => text.split('|').map((cell) => cell.trim());

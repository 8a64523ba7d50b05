/** The fixes of a CVE: version and date for each vendor and release. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { releaseCommand } from '@patch/catalogue/machines/install/release-command.ts';
import { fixedIn } from '@patch/catalogue/records/fixed-in.ts';
import { toIndexedRecord } from '@patch/catalogue/records/record-mapping.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { MatrixCell } from '@patch/contract/records/vulnerability-endpoint.ts';
import { getIndexMapping } from '../../platform/database/records/record-index-row.ts';
import type { RecordContent } from '../../platform/database/records/stored-record.ts';

/** Number of the day in UTC: the time of a release date says nothing. */
const dayOf = (time: number) => Math.floor(time / 86_400_000);

/** A source that has not been read for this long is reported as silent. */
export const silentAfterMs = 7 * 86_400_000;

/** A list with more releases, such as that of Windows, shows only the releases of its records. */
const maxReleases = 40;

export interface MatrixList {
  readonly list: CatalogueList;
  /** Time of the last read of its source; null when it was never read. */
  readonly readAt: number | null;
  /** Records that mention the CVE, by id. */
  readonly records: ReadonlyMap<number, RecordContent>;
  /** All releases of the records of the list. */
  readonly releases: readonly string[];
  /** Source packages without a fix, by release. */
  readonly unfixed: ReadonlyMap<string, string>;
}

export function createFixMatrix(
  lists: readonly MatrixList[],
  published: number | null,
  now: number,
): readonly MatrixCell[] {
  return lists.flatMap((list) => createCells(list, published, now));
}

function createCells(
  { list, readAt, records, releases, unfixed }: MatrixList,
  published: number | null,
  now: number,
): readonly MatrixCell[] {
  const label = list.source === null ? list.shortLabel : sourceLabels[list.source];
  const mapping = getIndexMapping(list);
  const cells: MatrixCell[] = [];
  let vendor = mapping.vendor.kind === 'words' ? mapping.vendor.words : label;
  for (const [recordId, { row, detail }] of records) {
    const record = toIndexedRecord(mapping, row, detail);
    vendor = record.vendor ?? vendor;
    const fixedReleases = record.release.length === 0 ? [null] : [...new Set(record.release)];
    for (const release of fixedReleases) {
      const fixed = fixedIn(list as ListDefinition, row, detail, release);
      cells.push({
        vendor,
        release,
        list: list.key,
        state: fixed === null ? 'listed' : 'fixed',
        fixedIn: fixed,
        recordId,
        identifier: record.identifier,
        releaseDate: record.releaseDate,
        days:
          published === null || record.releaseDate === null
            ? null
            : dayOf(record.releaseDate) - dayOf(published),
        command:
          fixed === null || release === null
            ? null
            : releaseCommand({ row, detail }, record.identifier, release),
        readAt,
      });
    }
  }
  const none = {
    vendor,
    list: list.key,
    fixedIn: null,
    recordId: null,
    identifier: null,
    releaseDate: null,
    days: null,
    command: null,
    readAt,
  } as const;
  const stated = new Set(cells.map(({ release }) => release));
  for (const [release, identifier] of unfixed)
    if (!stated.has(release)) cells.push({ ...none, release, state: 'listed', identifier });
  const listed = new Set(cells.map(({ release }) => release));
  const others =
    listed.size === 0
      ? [null]
      : releases.length > maxReleases
        ? []
        : releases.filter((release) => !listed.has(release));
  const isSilent = readAt === null || now - readAt > silentAfterMs;
  const missingCells = others.map(
    (release): MatrixCell => ({
      ...none,
      release,
      state: isSilent ? 'sourceSilent' : 'notListed',
    }),
  );
  return [...byRelease(cells), ...missingCells];
}

/** Sorts the releases by their first cell, and the fixes of a release by date. A record without a date comes last. */
function byRelease(cells: readonly MatrixCell[]): readonly MatrixCell[] {
  const date = ({ releaseDate }: MatrixCell) => releaseDate ?? Number.MAX_SAFE_INTEGER;
  const rank = ({ state }: MatrixCell) => (state === 'fixed' ? 0 : 1);
  return [...Map.groupBy(cells, ({ release }) => release).values()].flatMap((ofRelease) =>
    ofRelease.toSorted((a, b) => rank(a) - rank(b) || date(a) - date(b)),
  );
}

/** Which vendor fixed a CVE on which release, in what, and when: a row for each vendor and release. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { fixedIn } from '@patch/catalogue/records/fixed-in.ts';
import { indexedRecord } from '@patch/catalogue/records/record-mapping.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { MatrixCell } from '@patch/contract/vulnerability-endpoint.ts';
import { mappingOf } from '../../platform/database/record-index-row.ts';
import type { RecordContent } from '../../platform/database/stored-record.ts';

const day = 86_400_000;

/** A source that was read longer ago than this says nothing of today. */
export const silentAfterMs = 7 * day;

/** A list with more releases than this (the products of Windows) shows only those that a record names. */
const mostReleases = 40;

export interface MatrixList {
  readonly list: CatalogueList;
  /** When its source was last read; null: never. */
  readonly readAt: number | null;
  /** Its records that name the CVE, by number. */
  readonly records: ReadonlyMap<number, RecordContent>;
  /** All releases that its records name. */
  readonly releases: readonly string[];
}

export function fixMatrix(
  lists: readonly MatrixList[],
  published: number | null,
  now: number,
): readonly MatrixCell[] {
  return lists.flatMap((one) => cellsOfList(one, published, now));
}

function cellsOfList(
  { list, readAt, records, releases }: MatrixList,
  published: number | null,
  now: number,
): readonly MatrixCell[] {
  const label = list.source === null ? list.shortLabel : sourceLabels[list.source];
  const mapping = mappingOf(list);
  const cells = new Map<string, MatrixCell>();
  let vendor = mapping.vendor.kind === 'words' ? mapping.vendor.words : label;
  for (const [recordId, { row, detail }] of records) {
    const record = indexedRecord(mapping, row, detail);
    vendor = record.vendor ?? vendor;
    const named = record.release.length === 0 ? [null] : record.release;
    for (const release of named) {
      const fixed = fixedIn(list as ListDefinition, row, detail, release);
      const cell: MatrixCell = {
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
            : Math.round((record.releaseDate - published) / day),
        readAt,
      };
      const known = cells.get(release ?? '');
      if (known === undefined || isEarlier(cell, known)) cells.set(release ?? '', cell);
    }
  }
  const others =
    records.size === 0
      ? [null]
      : releases.length > mostReleases
        ? []
        : releases.filter((release) => !cells.has(release));
  const isSilent = readAt === null || now - readAt > silentAfterMs;
  const without = others.map(
    (release): MatrixCell => ({
      vendor,
      release,
      list: list.key,
      state: isSilent ? 'sourceSilent' : 'notListed',
      fixedIn: null,
      recordId: null,
      identifier: null,
      releaseDate: null,
      days: null,
      readAt,
    }),
  );
  return [...cells.values(), ...without];
}

/** The first record that fixed it counts; one without a date comes last. */
function isEarlier(one: MatrixCell, other: MatrixCell): boolean {
  if (one.state !== other.state) return one.state === 'fixed';
  return (
    (one.releaseDate ?? Number.POSITIVE_INFINITY) < (other.releaseDate ?? Number.POSITIVE_INFINITY)
  );
}

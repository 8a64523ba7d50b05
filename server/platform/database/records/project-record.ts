/** Computes all rows stored for a vendor's record from the record alone. Writing adds data of other records and of the risk sources. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  indexFixes,
  type ReleaseFixes,
} from '@patch/catalogue/machines/judgement/indexed-fixes.ts';
import { type RecordScore, readRecordScores } from '../cves/vendor-score-store.ts';
import { jsonText } from '../json-text.ts';
import { searchedColumns } from '../rows/list-columns.ts';
import { addWords, type StoredRow, storedRow } from '../rows/stored-row.ts';
import { statesPackages } from './package-fix-store.ts';
import { indexRow, isIndexed } from './record-index-row.ts';
import type { RecordContent } from './stored-record.ts';

export interface EntryToWrite extends RecordContent {
  readonly key: string;
  /** Hash of row and detail: see content-hash.ts. */
  readonly contentHash: string;
}

export interface RecordProjection {
  readonly entry: EntryToWrite;
  /** Columns of the list's row, without times, part and revision. */
  readonly row: StoredRow;
  /** JSON of the detail. */
  readonly detailText: string;
  /** Columns of the index of records; null if the list is not indexed. */
  readonly index: StoredRow | null;
  readonly fixes: readonly ReleaseFixes[];
  /** Scores of the CVEs that the record names. */
  readonly scores: readonly RecordScore[];
}

/** @param detailText - JSON of the detail. */
export function projectRecord(
  list: ListDefinition,
  entry: EntryToWrite,
  detailText = jsonText(entry.detail),
): RecordProjection {
  const { row, detail } = entry;
  const stored = storedRow(list, row, detail);
  const index = isIndexed(list)
    ? indexRow(list, { row, detail }, addWords(new Set(), stored, searchedColumns(list)))
    : null;
  return {
    entry,
    row: stored,
    detailText,
    index,
    fixes: statesPackages(list) ? indexFixes({ row, detail }) : [],
    scores: index === null ? [] : readRecordScores(list, readCves(index), detail),
  };
}

const readCves = ({ cve_folded: cves, release_date: date }: StoredRow) => ({
  cves: typeof cves === 'string' ? cves : null,
  releaseDate: typeof date === 'number' ? date : null,
});

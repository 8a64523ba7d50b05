/** What the index of records keeps of one record, before the records of its update are brought together. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import {
  type IndexedRecord,
  indexedRecord,
  type RecordMapping,
  recordMapping,
} from '@patch/catalogue/records/record-mapping.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { contentHash } from './content-hash.ts';
import { oncePerList } from './list-row.ts';
import { packageWords } from './package-words.ts';
import type { RecordContent } from './stored-record.ts';
import { foldedLine, type StoredRow, storedRow, withoutNul } from './stored-row.ts';

export const allPatches = listOfKey('all_patches');

/** Whether the list's records are in the index: those of vendors are. */
export const isIndexed = ({ source }: ListDefinition): boolean => source !== null;

/** What the index takes from a vendor's list. */
export const mappingOf = oncePerList(
  (list): RecordMapping =>
    recordMapping(list, sourceLabels[list.source as SourceKey] ?? list.shortLabel),
);

/** Changes when the index would say something else of the same records: the index of the list is then built again. */
export const mappingHash = (list: ListDefinition): string =>
  contentHash({ mapping: mappingOf(list), updates: list.countedBy ?? null, form: form(list) }, {});

/** Raised when the index keeps something else of the list's records. */
const form = ({ countedBy }: ListDefinition) => (countedBy === undefined ? 2 : 3);

/** Without the record's number and the columns of when it is written. `keyword`: of the list's row, so that the index finds what the list finds. */
export function indexRow(
  list: ListDefinition,
  { row, detail }: RecordContent,
  keyword: string,
): StoredRow {
  const record = indexedRecord(mappingOf(list), row, detail);
  const { exploited, alias: second, names, ...shown } = record;
  const alias = second === null ? null : withoutNul(second);
  const stored = storedRow(
    allPatches,
    { ...mutableLists(shown), list: list.key, folded: false },
    {},
  );
  const lines = new Set(`${String(stored['keyword'])}\n${keyword}`.split('\n'));
  return {
    ...stored,
    keyword: [...lines].join('\n'),
    vendor_exploited: exploited,
    risk_scope: null,
    own_cve_folded: null,
    own_vendor_exploited: null,
    update_key: updateKeyOf(list, row),
    alias,
    alias_folded: alias === null ? null : foldedLine(fold(alias)),
    names: namingLines([...names, ...packageWords(list, detail, new Set())]),
  };
}

/** Longer words cannot be asked for: see the parameters of the identifier's endpoints. */
const maxNameLength = 600;

/** Folded, a line each, none twice; null for none. */
function namingLines(names: readonly string[]): string | null {
  const lines = names.flatMap((name) => fold(withoutNul(name)).split('\n'));
  const kept = new Set(lines.filter((line) => line !== '' && line.length <= maxNameLength));
  return kept.size === 0 ? null : [...kept].join('\n');
}

function mutableLists(record: Omit<IndexedRecord, 'exploited' | 'alias' | 'names'>) {
  const { release, cve, packages } = record;
  return { ...record, release: [...release], cve: [...cve], packages: [...packages] };
}

/** Null where each record is an update of its own. */
function updateKeyOf(list: ListDefinition, row: Readonly<Record<string, unknown>>): string | null {
  const name = list.countedBy === undefined ? null : row[list.countedBy];
  if (typeof name !== 'string' || name === '') return null;
  return `${list.source} ${foldedLine(fold(name))}`;
}

/**
 * The index of records: one row for each listed record of a vendor's list, written in the transaction that writes the record. The
 * list of all patches, the identifiers and the risk of records are read from it. See docs/decisions/036.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import {
  type IndexedRecord,
  indexedRecord,
  type RecordMapping,
  recordMapping,
} from '@patch/catalogue/records/record-mapping.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import { columnArrays, columnTypes } from './column-arrays.ts';
import { contentHash } from './content-hash.ts';
import { keepCves, namedCves } from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import { addToListed, raiseRevision } from './list-revision-store.ts';
import { oncePerList } from './list-row.ts';
import { dropFixes, keepFixes } from './package-fix-store.ts';
import { packageWords } from './package-words.ts';
import { queryRows } from './query-rows.ts';
import {
  dropUpdateRisk,
  type RecordPlace,
  refreshRecordRisk,
  updateScope,
} from './record-risk-store.ts';
import { storedContents } from './stored-record.ts';
import { foldedLine, type StoredRow, storedRow, withoutNul } from './stored-row.ts';

export const allPatches = listOfKey('all_patches');

export interface RecordToIndex {
  readonly rowId: number;
  readonly row: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of the list's row: what its keyword finds, the index finds too. */
  readonly keyword: string;
}

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

/** Runs inside the caller's transaction, after the rows are written. */
export async function indexRecords(
  tx: Queryable,
  list: ListDefinition,
  records: readonly RecordToIndex[],
  now: number,
): Promise<void> {
  if (!isIndexed(list) || records.length === 0) return;
  const revision = await raiseRevision(tx, allPatches, 0);
  const own = records.map(({ rowId }) => ({ list: list.key, recordId: rowId }));
  const before = await namedCves(tx, own);
  const left = await updateKeysOf(tx, list, records);
  const { inserted, keys, places } = await writeIndexRows(tx, list, records, { now, revision });
  await addToListed(tx, allPatches, inserted);
  await keepFixes(
    tx,
    list,
    records.flatMap(({ rowId, row, detail }) => {
      const place = places.get(rowId);
      return place === undefined ? [] : [{ ...place, row, detail }];
    }),
  );
  const touched = { keys: [...left, ...keys], written: own };
  const all = [...own, ...(await standForUpdates(tx, touched, { now, revision }))];
  if (list.countedBy !== undefined)
    await dropUpdateRisk(tx, 'record.list = $1 and record.record_id = any($2::bigint[])', [
      list.key,
      arrayText(records.map(({ rowId }) => rowId)),
    ]);
  await refreshRecordRisk(tx, all);
  await keepCves(tx, [...before, ...(await namedCves(tx, all))], now);
}

/** Takes withdrawn records out of the index. Runs inside the caller's transaction. */
export async function dropFromIndex(
  tx: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
  now: number,
): Promise<void> {
  if (!isIndexed(list) || rowIds.length === 0) return;
  const revision = await raiseRevision(tx, allPatches, 0);
  const gone = { list: list.key, ids: arrayText(rowIds) };
  const before = await namedCves(
    tx,
    rowIds.map((recordId) => ({ list: list.key, recordId })),
  );
  const rows = await queryRows(
    tx,
    z.object({ id: z.number(), update_key: z.string().nullable() }),
    'delete from record where list = $1 and record_id = any($2::bigint[]) returning id, update_key',
    [gone.list, gone.ids],
  );
  await dropFixes(
    tx,
    rows.map(({ id }) => id),
  );
  for (const table of ['record_epss', 'record_risk'])
    await tx.query(
      `delete from ${table} where list in ($1::text, ${updateScope('$1::text')}) and record_id = any($2::bigint[])`,
      [gone.list, gone.ids],
    );
  await addToListed(tx, allPatches, -rows.length);
  const keys = rows.flatMap(({ update_key }) => update_key ?? []);
  const merged = await standForUpdates(tx, { keys, written: [] }, { now, revision });
  await refreshRecordRisk(tx, merged);
  await keepCves(tx, before, now);
}

interface Stamp {
  readonly now: number;
  readonly revision: number;
}

const UpdateKeyRow = z.object({ update_key: z.string() });

/** The updates that these records belonged to so far. */
async function updateKeysOf(
  tx: Queryable,
  list: ListDefinition,
  records: readonly RecordToIndex[],
): Promise<readonly string[]> {
  if (list.countedBy === undefined) return [];
  const rows = await queryRows(
    tx,
    UpdateKeyRow,
    'select distinct update_key from record where list = $1 and record_id = any($2::bigint[]) and update_key is not null',
    [list.key, arrayText(records.map(({ rowId }) => rowId))],
  );
  return rows.map(({ update_key }) => update_key);
}

const WrittenRow = z.object({
  id: z.number(),
  record_id: z.number(),
  inserted: z.boolean(),
  update_key: z.string().nullable(),
});

interface WrittenRows {
  readonly inserted: number;
  readonly keys: readonly string[];
  /** By the number in the record's list: that in the index. */
  readonly places: ReadonlyMap<number, { readonly id: number; readonly isNew: boolean }>;
}

async function writeIndexRows(
  tx: Queryable,
  list: ListDefinition,
  records: readonly RecordToIndex[],
  { now, revision }: Stamp,
): Promise<WrittenRows> {
  const stored = records.map((record) => ({
    ...indexRow(list, record),
    created_time: now,
    updated_time: now,
    revision,
  }));
  const types = columnTypes(allPatches)
    .set('folded', 'boolean')
    .set('vendor_exploited', 'boolean')
    .set('risk_scope', 'text')
    .set('own_cve_folded', 'text')
    .set('own_vendor_exploited', 'boolean');
  const { names, sql, arrays } = columnArrays(types, stored);
  const set = names
    .filter((name) => name !== 'created_time')
    .map((name) => `${name} = excluded.${name}`);
  const rows = await queryRows(
    tx,
    WrittenRow,
    `insert into record (${names.join(', ')}) select * from unnest(${sql})
     on conflict (list, record_id) do update set ${set.join(', ')} returning id, record_id, (xmax = 0) as inserted, update_key`,
    arrays,
  );
  return {
    inserted: rows.filter(({ inserted }) => inserted).length,
    keys: [...new Set(rows.flatMap(({ update_key }) => update_key ?? []))],
    places: new Map(
      rows.map(({ id, record_id, inserted }) => [record_id, { id, isNew: inserted }]),
    ),
  };
}

/** What the index keeps of one record, before the records of its update are brought together. */
function indexRow(list: ListDefinition, { rowId, row, detail, keyword }: RecordToIndex): StoredRow {
  const record = indexedRecord(mappingOf(list), row, detail);
  const { exploited, alias: second, names, ...shown } = record;
  const alias = second === null ? null : withoutNul(second);
  const stored = storedRow(
    allPatches,
    { ...mutableLists(shown), list: list.key, recordId: rowId, folded: false },
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

const MemberRow = z.object({ update_key: z.string(), list: z.string(), record_id: z.number() });
type MemberRow = z.infer<typeof MemberRow>;

/** Lists of one source in the order in which one of their records stands for the update. */
const preference = arrayText(catalogueLists.map(({ key }) => key));

/**
 * One record of each update is shown, and says what all of its records say together; the others are folded under it. What stood
 * for the update so far, and what does now, is first read again from its list: nothing stays of records that have left. `written`:
 * those that were written a moment ago say only what is theirs. Answers the records that stand for the updates, and that did so far.
 */
async function standForUpdates(
  tx: Queryable,
  { keys, written }: { readonly keys: readonly string[]; readonly written: readonly RecordPlace[] },
  { now, revision }: Stamp,
): Promise<readonly RecordPlace[]> {
  if (keys.length === 0) return [];
  const asked = arrayText([...new Set(keys)]);
  const first = await queryRows(
    tx,
    MemberRow,
    `select distinct on (update_key) update_key, list, record_id from record where update_key = any($1::text[])
     order by update_key, array_position($2::text[], list), record_id`,
    [asked, preference],
  );
  const shown = await queryRows(
    tx,
    MemberRow,
    'select update_key, list, record_id from record where update_key = any($1::text[]) and not folded',
    [asked],
  );
  const fresh = new Set(written.map(({ list, recordId }) => `${list} ${recordId}`));
  const isFresh = ({ list, record_id }: MemberRow) => fresh.has(`${list} ${record_id}`);
  for (const list of catalogueLists) {
    const own = [...first, ...shown].filter((row) => row.list === list.key && !isFresh(row));
    const records = await recordsToIndex(tx, list, [
      ...new Set(own.map(({ record_id }) => record_id)),
    ]);
    if (records.length > 0) await writeIndexRows(tx, list, records, { now, revision });
  }
  await tx.query(
    `update record set folded = (record.list, record.record_id) is distinct from (first.list, first.record_id), revision = $4
     from unnest($1::text[], $2::text[], $3::bigint[]) as first(update_key, list, record_id)
     where record.update_key = first.update_key
       and (record.folded is distinct from ((record.list, record.record_id) is distinct from (first.list, first.record_id)))`,
    [
      arrayText(first.map(({ update_key }) => update_key)),
      arrayText(first.map(({ list }) => list)),
      arrayText(first.map(({ record_id }) => record_id)),
      revision,
    ],
  );
  await tx.query(mergeSql, [asked]);
  await dropUpdateRisk(tx, 'record.update_key = any($1::text[])', [asked]);
  const concerned = new Map(
    [...first, ...shown].map((row) => [`${row.list} ${row.record_id}`, row]),
  );
  return [...concerned.values()].map(({ list, record_id }) => ({ list, recordId: record_id }));
}

const unionOf = (column: string, order = 'line') =>
  `(select string_agg(line, E'\\n' order by ${order}) from (select distinct line from record as member, unnest(string_to_array(member.${column}, E'\\n')) as line where member.update_key = shown.update_key) as lines)`;

/** By year and number: CVE-2024-999 before CVE-2024-10000. */
const byCve = "split_part(line, '-', 2), lpad(split_part(line, '-', 3), 19, '0'), line";

/** What is the record's own is kept beside what the update says. Several values are brought together, the highest severity holds, and an update is superseded where all of its records are. */
const mergeSql = `update record as shown set
  risk_scope = ${updateScope('shown.list')}, own_cve_folded = shown.cve_folded, own_vendor_exploited = shown.vendor_exploited,
  release = ${unionOf('release')}, release_folded = ${unionOf('release_folded')}, release_start = left(${unionOf('release_folded')}, 100),
  cve = ${unionOf('cve', byCve)}, cve_folded = ${unionOf('cve_folded', byCve)}, cve_start = left(${unionOf('cve_folded', byCve)}, 100),
  packages = ${unionOf('packages')}, packages_folded = ${unionOf('packages_folded')}, packages_start = left(${unionOf('packages_folded')}, 100),
  keyword = ${unionOf('keyword')},
  severity = most.severity, severity_folded = most.severity_folded, severity_rank = most.severity_rank,
  superseded = (select bool_and(superseded) from record as member where member.update_key = shown.update_key),
  vendor_exploited = (select bool_or(vendor_exploited) from record as member where member.update_key = shown.update_key)
  from (select distinct on (update_key) update_key, severity, severity_folded, severity_rank from record where update_key = any($1::text[])
    order by update_key, severity_rank desc nulls last) as most
  where shown.update_key = most.update_key and not shown.folded
    and exists (select from record as other where other.update_key = shown.update_key and other.folded)`;

const KeywordRow = z.object({ id: z.number(), keyword: z.string() });

/** The listed records of these numbers as the index takes them. */
export async function recordsToIndex(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<readonly RecordToIndex[]> {
  if (rowIds.length === 0) return [];
  const keywords = await queryRows(
    database,
    KeywordRow,
    `select id, keyword from ${list.key} where id = any($1::bigint[]) and withdrawn_time is null`,
    [arrayText(rowIds)],
  );
  const contents = await storedContents(database, list, rowIds);
  return keywords.flatMap(({ id, keyword }) => {
    const content = contents.get(id);
    return content === undefined ? [] : [{ rowId: id, keyword, ...content }];
  });
}

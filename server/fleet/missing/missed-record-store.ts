/** Finds missing records by what a criterion calls them, and back: the criterion that finds one record. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import type { RecordReference } from '../../machines/machine-records-store.ts';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { createValueTest } from '../../records/criteria/condition-meaning.ts';
import {
  type CriterionNames,
  formatReference,
  isReference,
  listNameSpellings,
  readCriterionNames,
} from '../../records/criteria/identifier-criteria-store.ts';
import {
  applicationReleases,
  macReleases,
  windowsUpdates,
} from '../judgement/judged-record-store.ts';

const NamesRow = z.object({
  id: z.number(),
  identifier: z.string().nullable(),
  alias: z.string().nullable(),
  cve: z.string().nullable(),
  reference: z.string(),
});

const namesSql = `select missing_record.id, identifier_folded as identifier, alias_folded as alias, cve_folded as cve,
    missing_record.list || '/' || missing_record.record_id as reference
  from missing_record join record using (list, record_id)`;

/** Each branch has an index. */
const namedRecordsSql = `select id from record where identifier_folded = any($1::text[])
    union all select id from record where alias_folded = any($1::text[])
    union all select id from record where string_to_array(cve_folded, E'\\n') && $1::text[]
    union all select id from record where (list, record_id) in (select * from unnest($2::text[], $3::bigint[]))`;

const namedSql = `select missing_record.id from missing_record join record using (list, record_id)
  where record.id in (${namedRecordsSql})`;

/** Returns the ids of missing records with one of the names. */
export const findMissedNames = (
  database: Queryable,
  wanted: CriterionNames,
): Promise<readonly number[]> => queryValues(database, z.number(), namedSql, namedValues(wanted));

const namedValues = ({ names, references }: CriterionNames) => [
  arrayText(names),
  ...arrayTexts(references, 'list', 'recordId'),
];

/** Lists whose records are all compared with machines. Records of packages are when they have a fix with a version. */
const comparedLists = [windowsUpdates, macReleases, applicationReleases];

/** Returns whether a listed record with one of the names is compared with machines: otherwise nothing says that they do not miss it. */
export async function isCompared(database: Queryable, wanted: CriterionNames): Promise<boolean> {
  const [found = false] = await queryValues(
    database,
    z.boolean(),
    `select exists (select from record where id in (${namedRecordsSql}) and (list = any($4::text[])
       or exists (select from package_fix join fix_series on fix_series.id = series_id
         where package_fix.record_id = record.id and special = '')))`,
    [...namedValues(wanted), arrayText(comparedLists.map(({ key }) => key))],
  );
  return found;
}

/**
 * Returns the ids of missing records with a matching name: identifier, alias, CVE, or list/number.
 * @param condition Not negated.
 */
export async function findMissedRecords(
  database: Queryable,
  condition: Condition,
): Promise<readonly number[]> {
  const wanted = readCriterionNames(condition);
  if (wanted !== null) return findMissedNames(database, wanted);
  const test = createValueTest(condition);
  const rows = await queryRows(database, NamesRow, namesSql);
  return rows
    .filter(({ identifier, alias, cve, reference }) =>
      test(
        [identifier, alias, ...(cve?.split('\n') ?? []), reference].filter((one) => one !== null),
      ),
    )
    .map(({ id }) => id);
}

const SubjectRow = z.object({
  id: z.number(),
  vendor: z.string().nullable(),
  release: z.string().nullable(),
  packages: z.string().nullable(),
});

/**
 * Returns the ids of missing records of a matching vendor, product, release or package. Reads all missing records, which are those that
 * some part misses.
 * @param condition Not negated.
 */
export async function findMissedRecordsOf(
  database: Queryable,
  condition: Condition,
): Promise<readonly number[]> {
  const test = createValueTest(condition);
  const rows = await queryRows(
    database,
    SubjectRow,
    `select missing_record.id, vendor_folded as vendor, release_folded as release, packages_folded as packages
     from missing_record join record using (list, record_id)`,
  );
  return rows
    .filter(({ vendor, release, packages }) =>
      test([vendor, release, packages].flatMap((lines) => lines?.split('\n') ?? [])),
    )
    .map(({ id }) => id);
}

/** Returns the ids of the missing record; none while no part misses it. */
export const findMissedRecord = (
  database: Queryable,
  { list, recordId }: RecordReference,
): Promise<readonly number[]> =>
  queryValues(
    database,
    z.number(),
    'select id from missing_record where list = $1 and record_id = $2',
    [list, recordId],
  );

const NamedRow = z.object({
  list: z.string(),
  record_id: z.number(),
  identifier: z.string().nullable(),
});

/**
 * Returns the value of the criterion `misses` that finds exactly the machines of each record: its identifier, or list/number where
 * other records have the same name.
 */
export async function readMissesValues(
  database: Queryable,
  records: readonly RecordReference[],
): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    NamedRow,
    `select list, record_id, identifier from record where (list, record_id) in (select * from unnest($1::text[], $2::bigint[]))
       and not exists (select from record as other where other.id <> record.id
         and (other.identifier_folded = record.identifier_folded or other.alias_folded = record.identifier_folded))`,
    arrayTexts(records, 'list', 'recordId'),
  );
  const own = new Map(
    rows.map((row) => [formatReference(row.list, row.record_id), row.identifier]),
  );
  return records.map(({ list, recordId }) => {
    const reference = formatReference(list, recordId);
    const identifier = own.get(reference) ?? null;
    return identifier === null || isAmbiguous(identifier) ? reference : identifier;
  });
}

/** A name that is also a CVE or a spelling of another one finds more than the record. */
const isAmbiguous = (identifier: string): boolean =>
  /^cve-/i.test(identifier) ||
  listNameSpellings(fold(identifier)).length > 1 ||
  isReference(fold(identifier));

/** Reads an advisory as a CSAF document: all its records, when this repository read them, and what is known of its CVEs. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type CsafContext, csafDocument } from '@patch/catalogue/formats/csaf-document.ts';
import { csafFileName } from '@patch/catalogue/formats/csaf-file-name.ts';
import { csafLists, csafVendor, listsOfAdvisory } from '@patch/catalogue/formats/csaf-lists.ts';
import type { CsafDocument } from '@patch/catalogue/formats/csaf-types.ts';
import { vulnerabilityNames } from '@patch/catalogue/formats/csaf-vulnerabilities.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { hasNameSql } from '../../platform/database/searched-relation.ts';
import { advisoryColumns, readContents, readIdentifiers } from '../advisories/advisory-store.ts';
import { knownCves } from './csaf-vex-store.ts';

export interface AdvisoryKey {
  /** One of the lists that have it. */
  readonly list: ListDefinition;
  readonly identifier: string;
}

/** The letters that most identifiers have where their file names have an underscore. */
const marks = [':', ' ', '.', '/', '_'];

/** More advisories of one list cannot have names that differ in their marks alone. */
const maxCandidates = 200;

/** Returns null where no advisory has that file. */
export async function findAdvisoryOfFile(
  database: Queryable,
  fileName: string,
): Promise<AdvisoryKey | null> {
  const base = fileName.replace(/\.json$/, '');
  const likely = [...new Set(marks.map((mark) => base.replaceAll('_', mark)))];
  for (const which of ['null', 'not null']) {
    const found = await findAdvisory(
      database,
      fileName,
      (list, column) => `withdrawn_time is ${which} and ${hasNameSql(list, column, '$1')}`,
      arrayText(likely),
    );
    if (found !== null) return found;
  }
  // An underscore stands for a run of any other letters. This reads whole lists.
  return findAdvisory(
    database,
    fileName,
    (_, column) => `${column} like $1`,
    base.replaceAll('_', '%'),
  );
}

async function findAdvisory(
  database: Queryable,
  fileName: string,
  condition: (list: ListDefinition, column: string) => string,
  value: string,
): Promise<AdvisoryKey | null> {
  for (const list of csafLists) {
    const where = condition(list, advisoryColumns(list).folded);
    const query = { where, values: [value], limit: maxCandidates };
    const identifiers = await readIdentifiers(database, list, query);
    const identifier = identifiers.find((each) => csafFileName(each) === fileName);
    if (identifier !== undefined) return { list, identifier };
  }
  return null;
}

const PartRow = z.object({
  id: z.number(),
  created: z.number(),
  updated: z.number(),
  withdrawn: z.number().nullable(),
});

interface AdvisoryOfList {
  readonly list: ListDefinition;
  /** Its listed records; withdrawn ones where none is listed. */
  readonly rows: readonly z.infer<typeof PartRow>[];
  readonly isListed: boolean;
  /** Of all records, epoch milliseconds. */
  readonly created: number;
  readonly changed: number;
}

/** Null for a list that never had the advisory. */
async function readAdvisory(
  database: Queryable,
  list: ListDefinition,
  identifier: string,
): Promise<AdvisoryOfList | null> {
  const rows = await queryRows(
    database,
    PartRow,
    `select id, created_time as created, updated_time as updated, withdrawn_time as withdrawn from ${list.key}
     where ${hasNameSql(list, advisoryColumns(list).folded, '$1')} order by natural_key`,
    [arrayText([fold(identifier)])],
  );
  if (rows.length === 0) return null;
  const listed = rows.filter(({ withdrawn }) => withdrawn === null);
  return {
    list,
    rows: listed.length > 0 ? listed : rows,
    isListed: listed.length > 0,
    created: Math.min(...rows.map(({ created }) => created)),
    changed: Math.max(...rows.map(({ updated, withdrawn }) => Math.max(updated, withdrawn ?? 0))),
  };
}

/**
 * Null for an advisory without records. The first list of the source that lists it provides the document, and the first that had it once
 * all have withdrawn it. The document also changed when the lists before withdrew it.
 */
export async function readCsafDocument(
  database: Queryable,
  { list: found, identifier }: AdvisoryKey,
  context: Pick<CsafContext, 'baseUrl' | 'publisher'>,
): Promise<CsafDocument | null> {
  const lists = listsOfAdvisory(found).map((list) => readAdvisory(database, list, identifier));
  const all = (await Promise.all(lists)).filter((one) => one !== null);
  const provider = all.findIndex(({ isListed }) => isListed);
  const own = all[Math.max(provider, 0)];
  if (own === undefined) return null;
  const { list, rows } = own;
  const [first, ...others] = await readContents(database, list, rows);
  if (first === undefined) return null;
  const parts = [first, ...others] as const;
  const counted = provider < 0 ? all : all.slice(0, provider + 1);
  const times = {
    created: Math.min(...all.map(({ created }) => created)),
    changed: Math.max(...counted.map(({ changed }) => changed)),
    isWithdrawn: provider < 0,
  };
  const known = await knownCves(database, parts.flatMap(vulnerabilityNames));
  return csafDocument(list, identifier, parts, times, {
    ...context,
    vendor: csafVendor(list),
    known,
  });
}

/** Reads what a vendor says of a CVE that no version fixes as a VEX document. */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { goneWord, type StatusWord } from '@patch/catalogue/definition/package-status.ts';
import type { CsafContext } from '@patch/catalogue/formats/csaf-document.ts';
import type { CsafDocument } from '@patch/catalogue/formats/csaf-types.ts';
import type { KnownCve } from '@patch/catalogue/formats/csaf-vulnerabilities.ts';
import {
  type VexStatement,
  type VexSubject,
  vexDocument,
  vexSourceKeys,
} from '@patch/catalogue/formats/vex-document.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const StatementRow = z.object({
  release: z.string(),
  package: z.string(),
  word: z.string(),
  created: z.number(),
  changed: z.number(),
});

/** Null where the vendor says nothing, or nothing any more. */
export async function readVexDocument(
  database: Queryable,
  subject: VexSubject,
  context: Pick<CsafContext, 'baseUrl' | 'publisher'>,
): Promise<CsafDocument | null> {
  const { source, cve } = subject;
  const rows = await queryRows(
    database,
    StatementRow,
    `select release, package, word, created_time as created, changed_time as changed
     from package_status where cve = $1 and source = $2 order by package, release, part`,
    [cve, source],
  );
  const [first, ...others] = rows.flatMap(({ release, package: name, word }): VexStatement[] =>
    word === goneWord ? [] : [{ release, package: name, word: word as StatusWord }],
  );
  if (first === undefined) return null;
  // Also those that the vendor does not list any more, as the document changed with them.
  const times = {
    created: Math.min(...rows.map(({ created }) => created)),
    changed: Math.max(...rows.map(({ changed }) => changed)),
  };
  const known = await knownCves(database, [cve]);
  return vexDocument(subject, [first, ...others], times, { ...context, known });
}

/** Selects the identifier of each VEX document, and when it was first read and last changed. */
export const vexIndexSelect = `select upper(source) || '-' || cve as identifier, min(created_time) as created, max(changed_time) as changed
  from package_status where source = any('${arrayText(vexSourceKeys)}'::text[])
  group by source, cve having bool_or(word <> '${goneWord}')`;

const StateRow = z.object({ state: z.string() });

/** Identifies what all vendors say. */
export async function vexState(database: Queryable): Promise<string> {
  const rows = await queryRows(
    database,
    StateRow,
    `select concat_ws('.', count(*), sum(changed_time)) as state from package_status`,
  );
  return rows[0]?.state ?? '';
}

const CveRow = z.object({
  cve: z.string(),
  title: z.string().nullable(),
  score: z.number().nullable(),
  vector: z.string().nullable(),
  exploitedSince: z.number().nullable(),
});

/** Reads what the risk sources know of CVEs, by CVE in capitals. */
export async function knownCves(
  database: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, KnownCve>> {
  const rows = await queryRows(
    database,
    CveRow,
    `select cve, title, cvss as score, cvss_vector as vector, exploited_since as "exploitedSince"
     from vulnerability where cve_folded = any($1::text[])`,
    [arrayText([...new Set(names.map(fold))])],
  );
  return new Map(
    rows.map(({ cve, title, score, vector, exploitedSince }) => [
      cve.toUpperCase(),
      { title, exploitedSince, score: vector === null ? null : { vector, score } },
    ]),
  );
}

/** The table of quarantined changes: what waits for an administrator, and what was decided of exactly these changes. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { QuarantineEntry, type QuarantineKey } from '@patch/contract/quarantine-entry.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { jsonText, plainText } from '../../platform/database/json-text.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export const quarantineDecisions = ['accepted', 'rejected'] as const;
export type QuarantineDecision = (typeof quarantineDecisions)[number];

/** The changes of a list that a part brings, for one reason. */
export type QuarantinePlace = QuarantineKey & { readonly source: SourceKey };

/** Identify exactly what a decision is about: the fingerprint of each change by its key. */
export type Fingerprints = ReadonlyMap<string, string>;

export interface QuarantinedChange {
  readonly fingerprint: string;
  /** Null: it waits. */
  readonly decision: QuarantineDecision | null;
  readonly decidedBy: string | null;
}

const ofEntry = 'source = $1 and part = $2 and list = $3 and reason = $4';
const placeOf = ({ source, part, list, reason }: QuarantinePlace) => [source, part, list, reason];

const PendingRow = QuarantineEntry.extend({ source: z.string() });

/** The entries that wait for a decision, by source. */
export async function pendingEntries(
  database: Queryable,
): Promise<ReadonlyMap<string, QuarantineEntry[]>> {
  const rows = await queryRows(
    database,
    PendingRow,
    `select source, part, part_label as "partLabel", list, reason, records, known, losses, examples, run_id as "runId", quarantined_time as "quarantinedAt"
     from quarantine where decision is null order by source, reason desc, quarantined_time, part, list`,
  );
  const bySource = new Map<string, QuarantineEntry[]>();
  for (const { source, ...entry } of rows)
    bySource.set(source, [...(bySource.get(source) ?? []), entry]);
  return bySource;
}

const ChangesRow = z.object({
  fingerprints: z.record(z.string(), z.string()),
  decision: z.enum(quarantineDecisions).nullable(),
  decidedBy: z.string().nullable(),
});

/** Every change that waits or was decided, by its key. */
export async function quarantinedChanges(
  database: Queryable,
  of: QuarantinePlace,
): Promise<Map<string, QuarantinedChange>> {
  const rows = await queryRows(
    database,
    ChangesRow,
    `select fingerprints, decision, decided_by as "decidedBy" from quarantine where ${ofEntry} order by id`,
    placeOf(of),
  );
  return new Map(
    rows.flatMap(({ fingerprints, ...decided }) =>
      Object.entries(fingerprints).map(([key, fingerprint]) => [key, { fingerprint, ...decided }]),
    ),
  );
}

/** Selects what waits of `$1`, `$2`, a source and its part: for a decision, or for a run that applies what was accepted. */
export const unsettledOfPart = (source: string, part: string) =>
  `select from quarantine where quarantine.source = ${source} and quarantine.part = ${part} and decision is distinct from 'rejected'`;

export async function isQuarantined(
  database: Queryable,
  source: SourceKey,
  part: string,
): Promise<boolean> {
  const { rows } = await database.query(`${unsettledOfPart('$1', '$2')} limit 1`, [source, part]);
  return rows.length > 0;
}

/** These changes wait from now on, whatever waited there or was decided of them before. */
export async function openEntry(
  database: Database,
  entry: QuarantineEntry & { readonly source: SourceKey },
  fingerprints: Fingerprints,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(`delete from quarantine where ${ofEntry} and decision is null`, placeOf(entry));
    await releaseChanges(tx, entry, [...fingerprints.keys()]);
    await tx.query(
      `insert into quarantine (source, part, list, reason, part_label, records, known, losses, examples, run_id, quarantined_time, fingerprints)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11, $12::jsonb)`,
      [
        ...placeOf(entry),
        plainText(entry.partLabel),
        entry.records,
        entry.known,
        jsonText(entry.losses),
        jsonText(entry.examples),
        entry.runId,
        entry.quarantinedAt,
        jsonText(Object.fromEntries(fingerprints)),
      ],
    );
  });
}

/** False when nothing waits there: it was decided already, or the vendor publishes the records as before. */
export async function decide(
  database: Queryable,
  of: QuarantinePlace,
  decision: QuarantineDecision,
  by: string,
): Promise<boolean> {
  const { count } = await database.query(
    `update quarantine set decision = $5, decided_by = $6 where ${ofEntry} and decision is null`,
    [...placeOf(of), decision, by],
  );
  return count > 0;
}

/** Some of the changes were made as accepted; the decision is about the others. */
export async function renewFingerprint(
  tx: Queryable,
  of: QuarantinePlace,
  key: string,
  fingerprint: string,
): Promise<void> {
  await tx.query(
    `update quarantine set fingerprints = jsonb_build_object($5::text, $6::text) where ${ofEntry}`,
    [...placeOf(of), key, fingerprint],
  );
}

/** Forgets these changes, and what was decided of them. */
export async function releaseChanges(
  tx: Queryable,
  of: QuarantinePlace,
  keys: readonly string[],
): Promise<void> {
  const released = [...placeOf(of), arrayText(keys)];
  await tx.query(
    `update quarantine set fingerprints = fingerprints - $5::text[] where ${ofEntry} and fingerprints ?| $5::text[]`,
    released,
  );
  await tx.query(`delete from quarantine where ${ofEntry} and fingerprints = '{}'`, placeOf(of));
}

/** Parts that are no longer followed need no decision. */
export async function releaseOtherParts(
  database: Queryable,
  source: SourceKey,
  followed: readonly string[],
): Promise<void> {
  await database.query('delete from quarantine where source = $1 and not part = any($2::text[])', [
    source,
    arrayText(followed),
  ]);
}

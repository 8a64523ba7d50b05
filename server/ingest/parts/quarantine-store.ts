/** Stores quarantined changes: pending ones, and decisions on exactly these changes. */
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { QuarantineEntry, type QuarantineKey } from '@patch/contract/sources/quarantine-entry.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { jsonText, plainText } from '../../platform/database/json-text.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { addEvent, type NewEvent } from '../../platform/events/event-store.ts';

export const quarantineDecisions = ['accepted', 'rejected'] as const;
export type QuarantineDecision = (typeof quarantineDecisions)[number];

/** Identifies the quarantined changes of a part to a list for one reason. */
export type QuarantineEntryKey = QuarantineKey & { readonly source: SourceKey };

/** The fingerprint of each change by its key. A decision applies only to changes with the same fingerprint. */
export type Fingerprints = ReadonlyMap<string, string>;

export interface QuarantinedChange {
  readonly fingerprint: string;
  /** Null while the change is pending. */
  readonly decision: QuarantineDecision | null;
  readonly decidedBy: string | null;
}

const entryTest = 'source = $1 and part = $2 and list = $3 and reason = $4';
const toParameters = ({ source, part, list, reason }: QuarantineEntryKey) => [
  source,
  part,
  list,
  reason,
];

const PendingRow = QuarantineEntry.extend({ source: z.string() });

/** Reads the entries that wait for a decision, by source. */
export async function readPendingEntries(
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

/** Reads every pending or decided change by its key. */
export async function readQuarantinedChanges(
  database: Queryable,
  entry: QuarantineEntryKey,
): Promise<Map<string, QuarantinedChange>> {
  const rows = await queryRows(
    database,
    ChangesRow,
    `select fingerprints, decision, decided_by as "decidedBy" from quarantine where ${entryTest} order by id`,
    toParameters(entry),
  );
  return new Map(
    rows.flatMap(({ fingerprints, ...decided }) =>
      Object.entries(fingerprints).map(([key, fingerprint]) => [key, { fingerprint, ...decided }]),
    ),
  );
}

/** Returns SQL that selects entries of a part that wait for a decision, or for a run that applies an accepted one. */
export const unsettledPartSql = (source: string, part: string) =>
  `select from quarantine where quarantine.source = ${source} and quarantine.part = ${part} and decision is distinct from 'rejected'`;

export async function isQuarantined(
  database: Queryable,
  source: SourceKey,
  part: string,
): Promise<boolean> {
  const { rows } = await database.query(`${unsettledPartSql('$1', '$2')} limit 1`, [source, part]);
  return rows.length > 0;
}

/** Opens an entry with these changes. Replaces the pending entry with the same key, and former decisions on these changes. A new entry causes an event. */
export async function openEntry(
  database: Database,
  entry: QuarantineEntry & { readonly source: SourceKey },
  fingerprints: Fingerprints,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { count: replaced } = await tx.query(
      `delete from quarantine where ${entryTest} and decision is null`,
      toParameters(entry),
    );
    if (replaced === 0) await addEvent(tx, quarantineEvent(entry), entry.quarantinedAt);
    await releaseChanges(tx, entry, [...fingerprints.keys()]);
    await tx.query(
      `insert into quarantine (source, part, list, reason, part_label, records, known, losses, examples, run_id, quarantined_time, fingerprints)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11, $12::jsonb)`,
      [
        ...toParameters(entry),
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

function quarantineEvent({
  source,
  part,
  partLabel,
  list,
  reason,
  records,
  runId,
}: QuarantineEntry & { readonly source: SourceKey }): NewEvent {
  const label = sourceLabels[source] ?? source;
  const many = records === 1 ? '1 record' : `${records} records`;
  const happened =
    reason === 'content_lost' ? 'lost content' : records === 1 ? 'is missing' : 'are missing';
  return {
    type: 'quarantine.pending',
    title: `Changes of ${label} wait for a decision`,
    path: `/patch-repository/sync?source=${source}`,
    subject: { source, part, list, reason, ...(runId !== null && { runId }) },
    items: [{ name: partLabel, about: `${many} ${happened}`, path: null }],
    totalCount: 1,
  };
}

/** Returns false without a pending entry: somebody has decided, or the vendor publishes the records as before. */
export async function saveDecision(
  database: Queryable,
  entry: QuarantineEntryKey,
  decision: QuarantineDecision,
  by: string,
): Promise<boolean> {
  const { count } = await database.query(
    `update quarantine set decision = $5, decided_by = $6 where ${entryTest} and decision is null`,
    [...toParameters(entry), decision, by],
  );
  return count > 0;
}

/** Limits an accepted decision to the changes that have not been made yet. */
export async function renewFingerprint(
  tx: Queryable,
  entry: QuarantineEntryKey,
  key: string,
  fingerprint: string,
): Promise<void> {
  await tx.query(
    `update quarantine set fingerprints = jsonb_build_object($5::text, $6::text) where ${entryTest}`,
    [...toParameters(entry), key, fingerprint],
  );
}

/** Removes these changes and the decisions on them. */
export async function releaseChanges(
  tx: Queryable,
  entry: QuarantineEntryKey,
  keys: readonly string[],
): Promise<void> {
  const released = [...toParameters(entry), arrayText(keys)];
  await tx.query(
    `update quarantine set fingerprints = fingerprints - $5::text[] where ${entryTest} and fingerprints ?| $5::text[]`,
    released,
  );
  await tx.query(
    `delete from quarantine where ${entryTest} and fingerprints = '{}'`,
    toParameters(entry),
  );
}

/** Removes the entries of parts that are not followed any more. */
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

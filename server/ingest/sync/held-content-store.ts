/** Records that keep what is stored because the vendor now says much less of them: the questions to administrators, and their decisions. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { contentDecisions } from '@patch/contract/source-settings-endpoints.ts';
import { HeldContent } from '@patch/contract/sync-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { jsonText, plainText } from '../../platform/database/json-text.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { HeldPlace } from './held-withdrawal-store.ts';

export type ContentDecision = (typeof contentDecisions)[number];

/** Short rows. */
const recordsAQuery = 1000;

/** A record whose new content is not written, and what was decided of exactly this content. */
export const HeldRecord = z.object({
  rowId: z.number(),
  /** Of the vendor's content. */
  contentHash: z.string(),
  decision: z.enum(contentDecisions).nullable(),
  decidedBy: z.string().nullable(),
});
export type HeldRecord = z.infer<typeof HeldRecord>;

const place = 'source = $1 and part = $2 and list = $3';
const placeOf = ({ source, part, list }: HeldPlace) => [source, part, list];

const UndecidedRow = HeldContent.extend({ source: z.string() });

/** The questions that wait, by source. */
export async function undecidedContent(
  database: Queryable,
): Promise<ReadonlyMap<string, readonly HeldContent[]>> {
  const rows = await queryRows(
    database,
    UndecidedRow,
    `select source, part, part_label as "partLabel", list, records, compared, losses, examples, run_id as "runId", held_time as "heldAt"
     from held_content order by source, held_time, part, list`,
  );
  const bySource = new Map<string, HeldContent[]>();
  for (const { source, ...held } of rows)
    bySource.set(source, [...(bySource.get(source) ?? []), held]);
  return bySource;
}

/** Decided and undecided ones, by row id. */
export async function heldRecords(
  database: Queryable,
  held: HeldPlace,
): Promise<ReadonlyMap<number, HeldRecord>> {
  const rows = await queryRows(
    database,
    HeldRecord,
    `select row_id as "rowId", content_hash as "contentHash", decision, decided_by as "decidedBy" from held_content_record where ${place}`,
    placeOf(held),
  );
  return new Map(rows.map((record) => [record.rowId, record]));
}

/** Whether content of the part waits: for a decision, or for a run that writes what was accepted. */
export async function isContentHeld(
  database: Queryable,
  source: SourceKey,
  part: string,
): Promise<boolean> {
  const { rows } = await database.query(
    `select 1 from held_content_record where source = $1 and part = $2 and decision is distinct from 'keep' limit 1`,
    [source, part],
  );
  return rows.length > 0;
}

/** These records wait for a decision from now on, whatever was decided of them before. */
export async function openContentQuestion(
  database: Database,
  held: HeldPlace & HeldContent,
  records: readonly Pick<HeldRecord, 'rowId' | 'contentHash'>[],
): Promise<void> {
  await database.query(
    `insert into held_content (source, part, list, part_label, records, compared, losses, examples, run_id, held_time)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10)
     on conflict (source, part, list) do update set part_label = excluded.part_label, records = excluded.records,
       compared = excluded.compared, losses = excluded.losses, examples = excluded.examples, run_id = excluded.run_id,
       held_time = excluded.held_time`,
    [
      ...placeOf(held),
      plainText(held.partLabel),
      held.records,
      held.compared,
      jsonText(held.losses),
      jsonText(held.examples),
      held.runId,
      held.heldAt,
    ],
  );
  for (let from = 0; from < records.length; from += recordsAQuery) {
    const batch = records.slice(from, from + recordsAQuery);
    await database.query(
      `insert into held_content_record (source, part, list, row_id, content_hash) select $1, $2, $3, * from unnest($4::bigint[], $5::text[])
       on conflict (source, part, list, row_id) do update set content_hash = excluded.content_hash, decision = null, decided_by = null`,
      [
        ...placeOf(held),
        arrayText(batch.map(({ rowId }) => rowId)),
        arrayText(batch.map(({ contentHash }) => contentHash)),
      ],
    );
  }
}

/** False when nothing waits there: a decision was made already, or the vendor states as much as before. */
export async function decideContent(
  database: Database,
  held: HeldPlace,
  decision: ContentDecision,
  by: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { count } = await tx.query(`delete from held_content where ${place}`, placeOf(held));
    if (count === 0) return false;
    await tx.query(
      `update held_content_record set decision = $4, decided_by = $5 where ${place} and decision is null`,
      [...placeOf(held), decision, by],
    );
    return true;
  });
}

export async function withdrawQuestion(database: Queryable, held: HeldPlace): Promise<void> {
  await database.query(`delete from held_content where ${place}`, placeOf(held));
}

/** These records are not held any longer, and what was decided of them is forgotten. */
export async function releaseRecords(
  database: Queryable,
  held: HeldPlace,
  rowIds: readonly number[],
): Promise<void> {
  for (let from = 0; from < rowIds.length; from += recordsAQuery) {
    await database.query(
      `delete from held_content_record where ${place} and row_id = any($4::bigint[])`,
      [...placeOf(held), arrayText(rowIds.slice(from, from + recordsAQuery))],
    );
  }
}

/** Of parts that are no longer followed nobody has to decide. */
export async function releaseOtherParts(
  database: Queryable,
  source: SourceKey,
  followed: readonly string[],
): Promise<void> {
  for (const table of ['held_content', 'held_content_record'])
    await database.query(`delete from ${table} where source = $1 and not part = any($2::text[])`, [
      source,
      arrayText(followed),
    ]);
}

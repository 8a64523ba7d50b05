/** What is held for a source, record by record, for tests that compare two databases. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import { NaturalKeyRow } from '../../../platform/database/list-row.ts';
import { queryRows } from '../../../platform/database/query-rows.ts';
import { decideContent, heldRecords, undecidedContent } from '../held-content-store.ts';
import { decide, undecidedWithdrawals } from '../held-withdrawal-store.ts';

export interface HeldOfSource {
  /** Where more records are listed than the vendor lists, and how many more. */
  readonly withdrawals: readonly {
    readonly part: string;
    readonly list: string;
    readonly missing: number;
  }[];
  /** Where records keep their former content. */
  readonly contents: readonly {
    readonly part: string;
    readonly list: string;
    readonly records: number;
  }[];
  /** Those records, by list and natural key. */
  readonly contentNames: ReadonlySet<string>;
  /** Parts derived from a list in which something is held: their content follows from it. */
  readonly partsThatFollow: ReadonlySet<string>;
}

export async function heldOfSource(
  database: Database,
  source: SourceKey,
  { fills }: Feed,
): Promise<HeldOfSource> {
  const withdrawals = (await undecidedWithdrawals(database)).get(source) ?? [];
  const contents = (await undecidedContent(database)).get(source) ?? [];
  const contentNames = new Set<string>();
  for (const { part, list } of contents) {
    const names = await namesOf(database, list);
    for (const { rowId, decision } of (
      await heldRecords(database, { source, part, list })
    ).values()) {
      if (decision === null) contentNames.add(names.get(rowId) ?? `${list} row ${rowId}`);
    }
  }
  const lists = new Set([...withdrawals, ...contents].map(({ list }) => `list:${list}`));
  const rows = await queryRows(
    database,
    z.object({ part: z.string(), url: z.string() }),
    `select part, url from feed_document where source = $1`,
    [source],
  );
  const follow = rows.filter(
    ({ url }) => lists.has(url) && fills.some(({ key }) => url === `list:${key}`),
  );
  return {
    withdrawals,
    contents,
    contentNames,
    partsThatFollow: new Set(follow.map(({ part }) => part)),
  };
}

export function isAnythingHeld({ withdrawals, contents }: HeldOfSource): boolean {
  return withdrawals.length + contents.length > 0;
}

/** An administrator accepts everything that is held. */
export async function acceptHeld(
  database: Database,
  source: SourceKey,
  { withdrawals, contents }: HeldOfSource,
): Promise<void> {
  for (const { part, list } of withdrawals)
    await decide(database, { source, part, list }, 'withdraw', 'tester');
  for (const { part, list } of contents)
    await decideContent(database, { source, part, list }, 'accept', 'tester');
}

async function namesOf(database: Database, list: string): Promise<ReadonlyMap<number, string>> {
  const rows = await queryRows(database, NaturalKeyRow, `select id, natural_key from ${list}`);
  return new Map(rows.map(({ id, natural_key }) => [id, `${list} ${natural_key}`]));
}

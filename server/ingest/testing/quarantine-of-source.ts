/** Lists the quarantine of a source record by record, for tests that compare two databases. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { NaturalKeyRow } from '../../platform/database/rows/list-columns.ts';
import {
  readPendingEntries,
  readQuarantinedChanges,
  saveDecision,
} from '../parts/quarantine-store.ts';

interface QuarantineOfSource {
  readonly entries: readonly QuarantineEntry[];
  /** Parts with missing records. */
  readonly partsWithMissing: ReadonlySet<string>;
  /** Records that keep their former content, by list and natural key. */
  readonly contentNames: ReadonlySet<string>;
  /** Parts that are derived from the list of an entry. */
  readonly partsThatFollow: ReadonlySet<string>;
}

export async function quarantineOfSource(
  database: Database,
  source: SourceKey,
  { fills }: Feed,
): Promise<QuarantineOfSource> {
  const entries = (await readPendingEntries(database)).get(source) ?? [];
  const partsWithMissing = new Set<string>();
  const contentNames = new Set<string>();
  for (const { part, list, reason } of entries) {
    if (reason === 'records_missing') {
      partsWithMissing.add(part);
      continue;
    }
    const names = await readNames(database, list);
    const changes = await readQuarantinedChanges(database, { source, part, list, reason });
    for (const [rowId, { decision }] of changes)
      if (decision === null) contentNames.add(names.get(Number(rowId)) ?? `${list} row ${rowId}`);
  }
  const lists = new Set(entries.map(({ list }) => `list:${list}`));
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
    entries,
    partsWithMissing,
    contentNames,
    partsThatFollow: new Set(follow.map(({ part }) => part)),
  };
}

export async function acceptQuarantine(
  database: Database,
  source: SourceKey,
  { entries }: QuarantineOfSource,
): Promise<void> {
  for (const { part, list, reason } of entries)
    await saveDecision(database, { source, part, list, reason }, 'accepted', 'tester');
}

async function readNames(database: Database, list: string): Promise<ReadonlyMap<number, string>> {
  const rows = await queryRows(database, NaturalKeyRow, `select id, natural_key from ${list}`);
  return new Map(rows.map(({ id, natural_key }) => [id, `${list} ${natural_key}`]));
}

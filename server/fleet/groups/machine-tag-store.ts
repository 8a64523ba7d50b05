/** Stores the tags that people put on machines, beside those that machines report. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { maxTags } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { lockFleet } from '../intake/machine-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { joinTags, splitTags } from '../machines/machine-tags.ts';

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const TagsRow = z.object({
  id: z.number(),
  name: z.string().nullable(),
  ownTags: z.string(),
  reportedTags: z.string(),
});

/**
 * Changes the tags of machines. Machines of one client are changed at once.
 * @throws AppError `too_many_tags` when a machine would have more than `maxTags`; nothing is changed then.
 */
export function changeTags(
  database: Database,
  machines: readonly number[],
  change: TagChange,
): Promise<{ readonly machines: number; readonly changed: number }> {
  const byClient = Map.groupBy(machines, clientOfMachine);
  return database.transaction(async (tx) => {
    const sum = { machines: 0, changed: 0 };
    for (const [, ids] of [...byClient].toSorted(([a], [b]) => a - b)) {
      const { found, changed } = await changeOfClient(tx, ids, change);
      sum.machines += found;
      sum.changed += changed;
    }
    return sum;
  });
}

/** Machines that reports change meanwhile wait for the lock of their client. */
async function changeOfClient(tx: Queryable, ids: readonly number[], change: TagChange) {
  const clientId = await lockFleet(tx, ids[0] ?? 0);
  const rows = await queryRows(
    tx,
    TagsRow,
    `select id, name, own_tags as "ownTags", reported_tags as "reportedTags" from machine where client_id = $1 and id = any($2::bigint[])`,
    [clientId, arrayText(ids)],
  );
  const removed = new Set(change.remove.map(fold));
  const changed = rows.flatMap(({ id, name, ownTags, reportedTags }) => {
    const kept = splitTags(ownTags).filter((tag) => !removed.has(fold(tag)));
    const own = joinTags(kept, change.add);
    const tags = joinTags(own, splitTags(reportedTags));
    if (tags.length > maxTags)
      throw new AppError(
        'too_many_tags',
        `${name ?? `Machine ${id}`} would have ${tags.length} tags; a machine has at most ${maxTags}.`,
      );
    const stored = own.join('\n');
    const shown = tags.length === 0 ? null : tags.join('\n');
    return stored === ownTags
      ? []
      : [{ id, own: stored, tags: shown, folded: shown === null ? null : fold(shown) }];
  });
  if (changed.length > 0) await writeTags(tx, clientId, changed);
  return { found: rows.length, changed: changed.length };
}

interface WrittenTags {
  readonly id: number;
  readonly own: string;
  readonly tags: string | null;
  readonly folded: string | null;
}

async function writeTags(
  tx: Queryable,
  clientId: number,
  changed: readonly WrittenTags[],
): Promise<void> {
  const revision = await raiseRevision(tx, machineList, 0);
  await tx.query(
    `update machine set own_tags = given.own, tags = given.tags, tags_folded = given.folded, revision = $1
     from unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) as given(id, own, tags, folded)
     where client_id = $2 and machine.id = given.id`,
    [revision, clientId, ...arrayTexts(changed, 'id', 'own', 'tags', 'folded')],
  );
}

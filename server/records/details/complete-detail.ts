/** Completes a record with values that another list has for the same update. */
import type { Completion } from '@patch/catalogue/definition/completion.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { type ListSource, selectReader } from '../../platform/database/database.ts';
import { readDetail, readRowsByName } from './detail-store.ts';

/** Returns the record unchanged when the other list has no certain match. */
export async function completeDetail(
  lists: ListSource,
  { from, by, choose, gained }: Completion,
  record: WireDetail,
): Promise<WireDetail> {
  const name = record[by];
  if (typeof name !== 'string') return record;
  const reader = selectReader(lists, from);
  const chosen = choose(record, await readRowsByName(reader, from, by, fold(name)));
  const found = chosen === null ? null : await readDetail(reader, from, chosen.id);
  if (found === null) return record;
  const added = Object.entries(gained(found)).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...record, ...Object.fromEntries(added) } as WireDetail;
}

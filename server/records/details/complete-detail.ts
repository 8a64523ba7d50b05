/** Adds to a record what another list knows of the same thing. */
import type { Completion } from '@patch/catalogue/definition/completion.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { readDetail, rowsOfName } from './detail-store.ts';

/** The record as it is when the other list has nothing that is certainly the same. */
export async function completeDetail(
  lists: ListSource,
  { from, by, choose, gained }: Completion,
  record: WireDetail,
): Promise<WireDetail> {
  const name = record[by];
  if (typeof name !== 'string') return record;
  const reader = readerOf(lists, from);
  const chosen = choose(record, await rowsOfName(reader, from, by, fold(name)));
  const found = chosen === null ? null : await readDetail(reader, from, chosen.id);
  if (found === null) return record;
  const added = Object.entries(gained(found)).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...record, ...Object.fromEntries(added) } as WireDetail;
}

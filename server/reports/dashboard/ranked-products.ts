/** The products that the ranking of updates is for: chosen ones, else those of the reported machines. */
import type { OwnProducts } from '@patch/contract/product-choice.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ListMemories } from '../../records/memory/list-memories.ts';
import { readPreferences } from '../../records/preferences/preference-store.ts';
import { resolveProducts } from '../month/own-products.ts';

interface ProductParts {
  readonly database: Database;
  readonly memories: Pick<ListMemories, 'load'>;
}

/** Returns null when the user has chosen nothing and no machine reports. */
export async function readRankedProducts(
  { database, memories }: ProductParts,
  userId: number,
): Promise<OwnProducts | null> {
  const { frame } = await readPreferences(database, userId);
  if (frame.products !== undefined) return resolveProducts(memories, frame.products);
  const own = await resolveProducts(memories, { from: 'machines', products: [] });
  return own.names.length + own.unmatched.length === 0 ? null : own;
}

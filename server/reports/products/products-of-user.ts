/** The products of a user, of the ranking of updates and of a month: chosen ones, else those of the reported machines. */
import type { OwnProducts } from '@patch/contract/base/product-choice.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { readPreferences } from '../../records/preferences/preference-store.ts';
import { type ProductParts, resolveProducts } from './own-products.ts';

/** Returns null when the user has chosen nothing and no machine reports. */
export async function readProductsOfUser(
  parts: ProductParts,
  userId: number,
  sight: Sight,
): Promise<OwnProducts | null> {
  const { frame } = await readPreferences(parts.database, userId);
  if (frame.products !== undefined) return resolveProducts(parts, frame.products, sight);
  const own = await resolveProducts(parts, { from: 'machines', products: [] }, sight);
  return own.names.length + own.unmatched.length === 0 ? null : own;
}

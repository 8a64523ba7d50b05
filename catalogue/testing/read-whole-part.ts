/** Reads a part of a risk source to its end, for tests. */
import type {
  PartManifest,
  PartOf,
  Publication,
  Rejection,
  Remark,
  RiskItem,
} from '../definition/feed.ts';
import { allOf } from './all-of.ts';

export type ReadItem = RiskItem | Rejection | Remark;

export async function readWholePart(
  part: PartOf<RiskItem>,
  publication: Publication,
): Promise<PartManifest & { readonly items: readonly ReadItem[] }> {
  const contents = await part.contents(publication);
  return { ...contents, items: await allOf(part.read(contents)) };
}

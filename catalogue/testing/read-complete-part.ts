/** Reads a part of a risk source to its end, for tests. */
import type {
  FeedPart,
  PartManifest,
  Publication,
  Rejection,
  Remark,
  RiskItem,
} from '../definition/feed.ts';
import { collect } from './collect.ts';

export type ReadItem = RiskItem | Rejection | Remark;

export async function readCompletePart(
  part: FeedPart<RiskItem>,
  publication: Publication,
): Promise<PartManifest & { readonly items: readonly ReadItem[] }> {
  const contents = await part.contents(publication);
  return { ...contents, items: await collect(part.read(contents)) };
}

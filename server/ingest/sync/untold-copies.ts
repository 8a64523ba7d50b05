/** Last copies that a part reads in place of documents which are no longer published, without a remark of its own: the run warns about them. */
import type { PartManifest } from '@patch/catalogue/definition/feed.ts';
import { remarkedDocument } from '@patch/catalogue/definition/feed-remark.ts';

/** The addresses among the documents of a part that `absent` says are no longer served, without those that the part remarks on itself. */
export function untoldCopies(
  { documents, standIn = [], remarks = [] }: PartManifest,
  absent: ReadonlySet<string>,
): string[] {
  const told = new Set([
    ...standIn.map(remarkedDocument),
    ...remarks.flatMap((one) => (one.kind === 'remark' ? (one.copies ?? []) : [])),
  ]);
  return documents.map(({ url }) => url).filter((url) => absent.has(url) && !told.has(url));
}

/** Finds cached copies that a part has read for missing documents without a remark, so that the run can warn about them. */
import type { PartManifest } from '@patch/catalogue/definition/feed.ts';
import { getRemarkUrl } from '@patch/catalogue/definition/feed-remark.ts';

/** Returns the addresses of a part's documents that are in `absent`, without those that the part itself remarks on. */
export function findUnreportedCopies(
  { documents, standIn = [], remarks = [] }: PartManifest,
  absent: ReadonlySet<string>,
): string[] {
  const reported = new Set([
    ...standIn.map(getRemarkUrl),
    ...remarks.flatMap((each) => (each.kind === 'remark' ? (each.copies ?? []) : [])),
  ]);
  return documents.map(({ url }) => url).filter((url) => absent.has(url) && !reported.has(url));
}

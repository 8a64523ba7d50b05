/** Last copies that a part reads in place of documents which are no longer published, without a remark of its own: the run warns about them. */
import type { Contents } from '@patch/catalogue/definition/feed.ts';

/** The addresses among the documents of a part that `absent` says are no longer served, without those that the part remarks on itself. */
export function untoldCopies(
  { documents, standIn = [], remarks = [] }: Contents,
  absent: ReadonlySet<string>,
): string[] {
  const told = [
    ...standIn,
    ...remarks.map((one) => ('remark' in one ? one.remark : one.reason)),
  ].join('\n');
  return documents.map(({ url }) => url).filter((url) => absent.has(url) && !told.includes(url));
}

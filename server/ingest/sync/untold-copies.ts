/** Last copies that a part reads in place of documents which are gone, and says nothing of: the run says it. */
import type { Contents } from '@patch/catalogue/definition/feed.ts';

const maxNamed = 3;

/** A sentence about those among the documents of a part that `absent` addresses no longer serve; none where the part tells of them itself. */
export function untoldCopies(
  { documents, standIn = [], remarks = [] }: Contents,
  absent: ReadonlySet<string>,
): string[] {
  const told = [
    ...standIn,
    ...remarks.map((one) => ('remark' in one ? one.remark : one.reason)),
  ].join('\n');
  const urls = documents
    .map(({ url }) => url)
    .filter((url) => absent.has(url) && !told.includes(url));
  if (urls.length === 0) return [];
  const others = urls.length > maxNamed ? ` and ${urls.length - maxNamed} more` : '';
  const [verb, copies] =
    urls.length === 1 ? ['is', 'Its last copy was'] : ['are', 'Their last copies were'];
  return [
    `${urls.slice(0, maxNamed).join(', ')}${others} ${verb} no longer published (not found). ${copies} read.`,
  ];
}

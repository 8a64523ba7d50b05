/** Notice that records may be missing while lists are being indexed. */
import { catalogueLists } from '@patch/catalogue/lists.ts';

/** @param lists - Keys of lists; undefined when all records are indexed. */
export function StillIndexed({ lists = [] }: { readonly lists?: readonly string[] | undefined }) {
  const labels = catalogueLists.filter(({ key }) => lists.includes(key)).map(({ label }) => label);
  if (labels.length === 0) return null;
  return (
    <p role="status">
      Records may be missing here: {labels.join(', ')} {labels.length === 1 ? 'is' : 'are'} still
      being indexed after an upgrade.
    </p>
  );
}

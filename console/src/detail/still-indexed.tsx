/** Says that records may be missing, because those of some lists are still being indexed. */
import { catalogueLists } from '@patch/catalogue/lists.ts';

/** `lists`: keys; undefined when all records are indexed. */
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

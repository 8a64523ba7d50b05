/** A number of rows, as a link to the list with the search whose total it is. */
import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-call.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { Link } from '@tanstack/react-router';
import { figures } from './figures.ts';
import { listPath } from './list-paths.ts';

/** What the number counts: 'critical in 7 days'. */
export function FigureLink({ figure, counts }: { readonly figure: Figure; readonly counts: string }) {
  const list = listOfKey(figure.list as ListKey);
  // The list shall open with these criteria and not with a view of the person's own.
  const search = { ...(figure.criteria.length > 0 && { criteria: writeCriteria(list, figure.criteria) }), view: 'all' as const };
  return (
    <Link
      to={listPath(list)}
      search={search as never}
      className="figures"
      aria-label={`${figures(figure.totalCount)} ${counts}: show them`}
    >
      {figures(figure.totalCount)}
    </Link>
  );
}

/** A number of updates, as a link to the list with the search that finds their records. */
import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { Link } from '@tanstack/react-router';
import styles from './figure-link.module.css';
import { formatNumber } from './format-number.ts';
import { listPath } from './list-paths.ts';

/** What the number counts: 'critical in 7 days'. Where several records are about one update, how many records there are stands below. */
export function FigureLink({
  figure,
  counts,
}: {
  readonly figure: Figure;
  readonly counts: string;
}) {
  const list = listOfKey(figure.list as ListKey);
  const { totalCount, updateCount } = figure;
  const label = `${formatNumber(updateCount)} ${counts}${updateCount === totalCount ? '' : `, in ${recordsText(totalCount)}`}`;
  // The list must open with these criteria and not with the user's default view.
  const search = {
    ...(figure.criteria.length > 0 && { criteria: writeCriteria(list, figure.criteria) }),
    view: 'all' as const,
  };
  return (
    <>
      <Link
        to={listPath(list)}
        search={search as never}
        className="figures"
        aria-label={`${label}: show them`}
      >
        {formatNumber(updateCount)}
      </Link>
      {updateCount === totalCount ? null : (
        <span className={styles['records']} aria-hidden="true">
          {recordsText(totalCount)}
        </span>
      )}
    </>
  );
}

const recordsText = (count: number) =>
  `${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;

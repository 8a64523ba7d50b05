/** Number of updates that links to the list with the search for their records. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './figure-link.module.css';
import { type Counted, formatCount, formatNumber, inflect } from './format-number.ts';
import { listPath } from './list-paths.ts';

interface FigureLinkProps {
  readonly figure: Figure;
  /** What the number counts: 'critical in 7 days'. */
  readonly counts: string | Counted;
  /** Absent: the number of updates. */
  readonly children?: ReactNode;
  /** Called when the link is followed, to close a layer above the page. */
  readonly onFollow?: (() => void) | undefined;
}

/** Shows the number of records below when it differs from the number of updates. */
export function FigureLink({ figure, counts, children, onFollow }: FigureLinkProps) {
  const list = getList(figure.list as ListKey);
  const { totalCount, updateCount } = figure;
  const words = typeof counts === 'string' ? counts : inflect(updateCount, counts);
  const label = `${formatNumber(updateCount)} ${words}${updateCount === totalCount ? '' : `, in ${formatCount(totalCount, ['record', 'records'])}`}`;
  // `view: 'all'` prevents the user's default view from replacing the criteria.
  const search = {
    ...(figure.criteria.length > 0 && { criteria: writeCriteria(list, figure.criteria) }),
    view: 'all' as const,
  };
  return (
    <>
      <Link
        to={listPath(list)}
        search={search as never}
        className={`figures ${styles['link'] ?? ''}`}
        aria-label={`${label}: show them`}
        onClick={(event) => {
          // A row of a list opens its record when it is clicked.
          event.stopPropagation();
          onFollow?.();
        }}
      >
        {children ?? formatNumber(updateCount)}
      </Link>
      {updateCount === totalCount ? null : (
        <span className={styles['records']} aria-hidden="true">
          {formatCount(totalCount, ['record', 'records'])}
        </span>
      )}
    </>
  );
}

/** The updates of a source in a month, by product: what to install, and what people weigh before they do. */
import {
  type MonthOfSource,
  type MonthSource,
  monthOfSourceEndpoint,
} from '@patch/contract/reports/month-endpoints.ts';
import { nameProducts } from '@patch/contract/reports/update-words.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { callApi } from '../api/call-api.ts';
import { usePreferences, waitForFrame } from '../api/preferences.ts';
import { queryKeys } from '../api/query-keys.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import styles from './month.module.css';
import { MonthUpdateRow, splitFacts } from './month-update-row.tsx';

/** Rows with which the skeleton fills a screen: the table that replaces it then pushes down nothing that is seen. */
const longestSkeleton = 24;

interface MonthSourceProps {
  readonly month: string;
  readonly source: MonthSource;
  readonly scope: 'all' | 'mine';
}

export function MonthSourceSection({ month, source, scope }: MonthSourceProps) {
  const id = useId();
  const { frame } = usePreferences();
  const query = { products: scope };
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.months.source(
      month,
      source.source,
      query,
      scope === 'mine' ? frame.products : null,
    ),
    queryFn: async ({ signal }) => {
      await waitForFrame();
      return callApi(monthOfSourceEndpoint, {
        params: { month, source: source.source },
        query,
        signal,
      });
    },
  });
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{source.label}</h2>
      <p className={styles['counts']}>
        <FigureLink figure={source.figure} counts={`updates of ${source.label}`} />{' '}
        {source.figure.updateCount === 1 ? 'update' : 'updates'},{' '}
        <FigureLink figure={source.exploited} counts={`exploited of ${source.label}`} /> known
        exploited, <FigureLink figure={source.critical} counts={`critical of ${source.label}`} />{' '}
        critical, <FigureLink figure={source.superseded} counts={`superseded of ${source.label}`} />{' '}
        superseded by now
      </p>
      {error !== null ? (
        <LoadFailure
          what={`updates of ${source.label}`}
          failure={error}
          onReload={() => void refetch()}
        />
      ) : data === undefined ? (
        <Skeleton rows={Math.min(2 * source.figure.updateCount, longestSkeleton)} />
      ) : (
        <Products of={data} />
      )}
    </section>
  );
}

function Products({
  of: { products, updates, figure, label, furtherProducts },
}: {
  readonly of: MonthOfSource;
}) {
  const byId = new Map(updates.map((update) => [update.row.id, update]));
  const { stated, missing } = splitFacts(updates);
  return (
    <>
      <table className={styles['table']} aria-label={`Updates of ${label} by product`}>
        <thead>
          <tr>
            <th scope="col">Update</th>
            <th scope="col">Severity</th>
            {stated.map(({ label: fact, width }) => (
              <th key={fact} scope="col" style={{ width }}>
                {fact}
              </th>
            ))}
          </tr>
        </thead>
        {products.map(({ names, figure: own, updates: ids }) => (
          <tbody key={names.join('\n')}>
            <tr>
              <th scope="rowgroup" colSpan={2 + stated.length} className={styles['product']}>
                {nameProducts(names)} ·{' '}
                <FigureLink figure={own} counts={`for ${nameProducts(names)}`} />{' '}
                {own.updateCount === 1 ? 'update' : 'updates'}
              </th>
            </tr>
            {ids
              .flatMap((id) => byId.get(id) ?? [])
              .map((update) => (
                <MonthUpdateRow key={update.row.id} update={update} stated={stated} />
              ))}
          </tbody>
        ))}
      </table>
      {missing.length > 0 && (
        <p className={styles['quiet']}>
          Not stated by the source:{' '}
          {missing.map(({ label: fact }) => fact.toLowerCase()).join(', ')}.
        </p>
      )}
      {figure.totalCount > updates.length || furtherProducts > 0 ? (
        <p className={styles['quiet']}>
          Shown are the first {updates.length} updates to patch; all{' '}
          <FigureLink figure={figure} counts={`updates of ${label}`} /> are in the list
          {furtherProducts > 0 ? `, with ${furtherProducts} more products` : ''}.
        </p>
      ) : null}
    </>
  );
}

/** A month of updates: numbers, what the sources have not read, changes, and the updates of each source by product. Made to be printed. */
import { type CalendarMonth, toCalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import { type Month, monthEndpoint } from '@patch/contract/reports/month-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { usePreferences, waitForFrame } from '../api/preferences.ts';
import { queryKeys } from '../api/query-keys.ts';
import { ProductPicker } from '../products/product-picker.tsx';
import { Button } from '../widgets/button.tsx';
import { formatCount } from '../widgets/format-number.ts';
import { monthPath } from '../widgets/list-paths.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Notice } from '../widgets/notice.tsx';
import { PageHeader } from '../widgets/page-header.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import { useNow } from '../widgets/ticking-clock.ts';
import styles from './month.module.css';
import { MonthActions } from './month-actions.tsx';
import { MonthChanges } from './month-changes.tsx';
import { MonthFeeds } from './month-feeds.tsx';
import { MonthNumbers } from './month-numbers.tsx';
import { MonthSourceSection } from './month-source.tsx';

export function MonthScreen() {
  const { month: key } = useParams({ strict: false });
  const { products, since } = useSearch({ strict: false });
  const { frame } = usePreferences();
  const month = toCalendarMonth(key ?? '');
  const scope: 'all' | 'mine' = products === 'mine' ? 'mine' : 'all';
  const query = {
    products: scope,
    ...(since !== undefined && { since: String(Date.parse(since)) }),
  };
  // The key contains the choice, because it decides what `mine` finds.
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.months.month(month.key, query, scope === 'mine' ? frame.products : null),
    queryFn: async ({ signal }) => {
      await waitForFrame();
      return callApi(monthEndpoint, { params: { month: month.key }, query, signal });
    },
    placeholderData: keepPreviousData,
  });
  const shown = data?.month === month.key ? data : undefined;
  return (
    <div className={styles['page']}>
      <PageHeader
        title={`Updates of ${month.label}`}
        beside={<Neighbours month={month} />}
        actions={<MonthActions month={month} query={query} figure={shown?.figure} />}
      />
      <ScopeBar scope={scope} since={since} isUnknown={scope === 'mine' && shown?.own === null} />
      {error !== null && shown === undefined ? (
        <LoadFailure what="month" failure={error} onReload={() => void refetch()} />
      ) : shown === undefined ? (
        <Skeleton rows={10} />
      ) : (
        <Content month={shown} scope={scope} />
      )}
    </div>
  );
}

function Neighbours({ month }: { readonly month: CalendarMonth }) {
  const hasNext = month.to <= useNow();
  return (
    <nav aria-label="Months" className={styles['neighbours']}>
      <Link to={monthPath(month.previous)}>
        <span aria-hidden="true">‹ </span>
        {toCalendarMonth(month.previous).label}
      </Link>
      {hasNext && (
        <Link to={monthPath(month.next)}>
          {toCalendarMonth(month.next).label}
          <span aria-hidden="true"> ›</span>
        </Link>
      )}
    </nav>
  );
}

interface ScopeBarProps {
  readonly scope: 'all' | 'mine';
  readonly since: string | undefined;
  /** Nothing was chosen, and no machine reports. */
  readonly isUnknown: boolean;
}

function ScopeBar({ scope, since, isUnknown }: ScopeBarProps) {
  const navigate = useNavigate();
  const [isChoosing, setChoosing] = useState(false);
  const go = (change: object) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, ...change })) as never });
  return (
    <>
      <div className={styles['scope']}>
        <fieldset className={styles['switch']}>
          <legend className="visually-hidden">Products</legend>
          {(['all', 'mine'] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="month-products"
                checked={scope === value}
                onChange={() => go({ products: value === 'mine' ? 'mine' : undefined })}
              />
              {value === 'all' ? 'All products' : 'My products'}
            </label>
          ))}
        </fieldset>
        <Button small aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          Choose my products
        </Button>
        <label className={styles['since']}>
          Changed since
          <input
            type="date"
            value={since ?? ''}
            onChange={({ target }) => go({ since: target.value || undefined })}
          />
          <span className={styles['quiet']}>00:00 UTC</span>
        </label>
      </div>
      {isChoosing || isUnknown ? (
        <ProductPicker
          onSaved={() => {
            setChoosing(false);
            go({ products: 'mine' });
          }}
        />
      ) : null}
    </>
  );
}

interface ContentProps {
  readonly month: Month;
  readonly scope: 'all' | 'mine';
}

/** @param everything Count of the updates of all products. */
function NoUpdates({ everything }: { readonly everything: number }) {
  return (
    <Notice
      kind="info"
      title={
        everything === 0
          ? 'The catalogue has no update of this month'
          : `None of the ${formatCount(everything, ['update', 'updates'])} of this month is for these products`
      }
      description="That the sources have read it does not follow: see what they may not have read."
    />
  );
}

function Content({ month, scope }: ContentProps) {
  return (
    <>
      <Basis month={month} scope={scope} />
      <MonthNumbers month={month} />
      <MonthFeeds month={month} />
      <MonthChanges month={month} />
      {month.sources.length === 0 ? (
        <NoUpdates everything={month.everything.totalCount} />
      ) : (
        month.sources.map((source) => (
          <MonthSourceSection
            key={source.source}
            month={month.month}
            source={source}
            scope={scope}
          />
        ))
      )}
    </>
  );
}

/** The moment and the products that the numbers are of, as paper must say. */
function Basis({ month: { own, countedAt }, scope }: ContentProps) {
  const hasOwn = own !== null && own.names.length > 0;
  return (
    <>
      {own === null && scope === 'mine' && (
        <Notice
          kind="info"
          title="You have not chosen products yet, so that all products are shown"
        />
      )}
      {own !== null && !hasOwn && (
        <Notice
          kind="warning"
          title="None of your products is known here, so that all products are shown"
          description={
            own.from === 'machines'
              ? 'No reported machine has a release of which the catalogue has a record.'
              : undefined
          }
        />
      )}
      <p className={styles['quiet']}>
        As of {utcMinute(countedAt)}.{' '}
        {hasOwn
          ? `Products (${own.from === 'machines' ? 'of the reported machines' : 'chosen'}): ${own.names.join('; ')}${own.further > 0 ? `; and ${own.further} more, which are left out` : ''}`
          : 'All products.'}
      </p>
      {own !== null && own.unmatched.length > 0 && (
        <p className={styles['warning']}>
          Without a record in the catalogue: {own.unmatched.join('; ')}
        </p>
      )}
    </>
  );
}

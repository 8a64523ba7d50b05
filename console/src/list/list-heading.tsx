/** Heading of a list: name, number of records, freshness. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import {
  freshnessText,
  getFreshness,
  isConcern,
  silentFor,
} from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isUnderWay } from '../api/use-sources.ts';
import { runSearch, syncPath } from '../widgets/list-paths.ts';
import { PageHeader } from '../widgets/page-header.tsx';
import { useNow } from '../widgets/ticking-clock.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import styles from './list-heading.module.css';

interface ListHeadingProps {
  readonly list: CatalogueList;
  readonly totalCount: number | undefined;
  /** Number of distinct updates; undefined while unknown, or when each record is an update. */
  readonly updateCount: number | undefined;
  /** True when a search narrows the list. */
  readonly narrowed: boolean;
  readonly stale: boolean;
  /** Undefined while unknown, or when the list has no source. */
  readonly source: SourceState | undefined;
  readonly actions: ReactNode;
}

export function ListHeading({
  list,
  totalCount,
  updateCount,
  narrowed,
  stale,
  source,
  actions,
}: ListHeadingProps) {
  return (
    <PageHeader
      mark={<VendorMark of={list.key} />}
      title={list.label}
      actions={actions}
      beside={
        <>
          <span
            className={styles['total']}
            data-stale={stale || undefined}
            data-unknown={totalCount === undefined || undefined}
            aria-live="polite"
          >
            {totalCount === undefined ? '' : toTotalText(totalCount, narrowed, updateCount)}
          </span>
          {source !== undefined && source.available && <Freshness source={source} />}
        </>
      }
    />
  );
}

/** Returns '1,755 matching records of 378 updates'. */
function toTotalText(totalCount: number, narrowed: boolean, updateCount = totalCount): string {
  const records = totalCount === 1 ? 'record' : 'records';
  const updates =
    updateCount === totalCount
      ? ''
      : ` of ${updateCount.toLocaleString('en')} ${updateCount === 1 ? 'update' : 'updates'}`;
  return `${totalCount.toLocaleString('en')} ${narrowed ? `matching ${records}` : records}${updates}`;
}

function Freshness({ source }: { readonly source: SourceState }) {
  const { run, lastSuccessAt } = source;
  const now = useNow();
  const freshness = getFreshness(source, now);
  return (
    <Link
      to={syncPath}
      search={runSearch(source.source, run?.id)}
      className={styles['freshness']}
      data-running={isUnderWay(source) || undefined}
      data-concern={isConcern(freshness) || undefined}
      data-tip={freshnessText(source, now)}
    >
      <FreshnessWords source={source} lastSuccessAt={lastSuccessAt} />
      {freshness === 'silent' ? `, vendor silent for ${silentFor(source, now)}` : null}
    </Link>
  );
}

function FreshnessWords({
  source,
  lastSuccessAt,
}: {
  readonly source: SourceState;
  readonly lastSuccessAt: number | null;
}) {
  if (isUnderWay(source)) return 'syncing now';
  const synced =
    lastSuccessAt === null ? (
      'never synced'
    ) : (
      <>
        synced <TimeAgo value={lastSuccessAt} />
      </>
    );
  return source.run?.state === 'failed' || source.run?.state === 'interrupted' ? (
    <>{synced}, last run failed</>
  ) : (
    synced
  );
}

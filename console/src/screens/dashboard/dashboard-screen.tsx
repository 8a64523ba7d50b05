/** The dashboard shows what needs action: new known exploited CVEs, unreliable sources and critical patches. Each number links to its records. */

import {
  dashboardEndpoint,
  type DashboardFigures as Figures,
} from '@patch/contract/dashboard-endpoint.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { useSources } from '../../api/use-sources.ts';
import { FleetCard } from '../../fleet/fleet-card.tsx';
import { useFleetSummary } from '../../fleet/use-fleet.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { ClientFigures } from './client-figures.tsx';
import { CriticalByVendor } from './critical-by-vendor.tsx';
import { DashboardCard } from './dashboard-card.tsx';
import styles from './dashboard-screen.module.css';
import { ExploitNews } from './exploit-news.tsx';
import { describeFreshness } from './freshness-text.ts';
import { LastRuns } from './last-runs.tsx';
import { SourceFreshness } from './source-freshness.tsx';
import { UnreliableSources } from './unreliable-sources.tsx';
import { useDashboardVisit } from './use-dashboard-visit.ts';
import { WeekBars } from './week-bars.tsx';

const refreshIntervalMs = 60_000;

export function DashboardScreen() {
  const zone = timeZone();
  useDashboardVisit(zone);
  const sources = useSources();
  const figures = useQuery({
    // The key contains the end of the last run, because a run changes the figures.
    queryKey: queryKeys.dashboard.figures(zone, getLastRunEnd(sources.data ?? [])),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callApi(dashboardEndpoint, { query: { timeZone: zone }, signal }),
    refetchInterval: refreshIntervalMs,
    refetchIntervalInBackground: false,
  });
  const reload = () => {
    void figures.refetch();
    void sources.refetch();
  };
  const failure = figures.data === undefined ? figures.error : null;
  return (
    <>
      <PageHeader
        title="Dashboard"
        beside={sources.data === undefined ? undefined : describeFreshness(sources.data)}
      />
      {failure !== null ? (
        <LoadFailure what="dashboard" failure={failure} onReload={reload} />
      ) : (
        <Cards figures={figures.data} sources={sources.data} />
      )}
    </>
  );
}

interface CardsProps {
  /** Undefined while loading, like the sources. */
  readonly figures: Figures | undefined;
  readonly sources: readonly SourceState[] | undefined;
}

function Cards(props: CardsProps) {
  // Deferred, because drawing many charts at once would delay the response to clicks.
  const figures = useDeferredValue(props.figures);
  const sources = useDeferredValue(props.sources);
  return (
    <div className={styles['cards']}>
      <DashboardCard title="Known exploited and new" wide>
        {figures === undefined ? (
          <LoadingRows rows={6} />
        ) : (
          <ExploitNews news={figures.news} kev={sources?.find(({ source }) => source === 'kev')} />
        )}
      </DashboardCard>
      <DashboardCard title="Stale and silent sources">
        {sources === undefined ? <LoadingRows rows={6} /> : <UnreliableSources sources={sources} />}
      </DashboardCard>
      <DashboardCard title="Patches by week" wide>
        {figures === undefined ? <LoadingRows rows={6} /> : <WeekBars weeks={figures.weeks} />}
      </DashboardCard>
      <DashboardCard title="Critical in 30 days, by vendor">
        {figures === undefined ? (
          <LoadingRows rows={6} />
        ) : (
          <CriticalByVendor rows={figures.critical} />
        )}
      </DashboardCard>
      <DashboardCard title="Source rhythm" wide>
        {sources === undefined ? <LoadingRows rows={11} /> : <SourceFreshness sources={sources} />}
      </DashboardCard>
      <Machines />
      <div className={styles['column']}>
        <DashboardCard title="Licensed clients">
          {figures === undefined ? <LoadingRows rows={4} /> : <ClientFigures figures={figures} />}
        </DashboardCard>
        <DashboardCard title="Last runs">
          {figures === undefined ? <LoadingRows rows={10} /> : <LastRuns runs={figures.runs} />}
        </DashboardCard>
      </div>
    </div>
  );
}

/** Loaded separately, so that it does not delay the other figures. */
function Machines() {
  const { data } = useFleetSummary();
  if (data === undefined) return null;
  return (
    <DashboardCard title="Machines of clients" wide>
      <FleetCard summary={data} />
    </DashboardCard>
  );
}

const LoadingRows = ({ rows }: { readonly rows: number }) => <Skeleton rows={rows} />;

const getLastRunEnd = (sources: readonly SourceState[]): number =>
  Math.max(0, ...sources.map(({ run }) => run?.endedAt ?? 0));

/** What needs action: what is exploited and new, which sources are not to be relied on, what is critical. Each number leads to the list that proves it. */

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
import { freshnessText } from './freshness-text.ts';
import { LastRuns } from './last-runs.tsx';
import { NewsOfExploits } from './news-of-exploits.tsx';
import { SourceFreshness } from './source-freshness.tsx';
import { SourcesToLookInto } from './sources-to-look-into.tsx';
import { useDashboardVisit } from './use-dashboard-visit.ts';
import { WeekBars } from './week-bars.tsx';

const refreshedEvery = 60_000;

export function DashboardScreen() {
  const zone = timeZone();
  useDashboardVisit(zone);
  const sources = useSources();
  const figures = useQuery({
    // When a run ends the figures are others.
    queryKey: queryKeys.dashboard.figures(zone, lastEnd(sources.data ?? [])),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callApi(dashboardEndpoint, { query: { timeZone: zone }, signal }),
    refetchInterval: refreshedEvery,
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
        beside={sources.data === undefined ? undefined : freshnessText(sources.data)}
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
  /** Undefined while they are read, and so are the sources. */
  readonly figures: Figures | undefined;
  readonly sources: readonly SourceState[] | undefined;
}

function Cards(told: CardsProps) {
  // Drawn in slices: a page of charts at once would hold up what is pressed meanwhile.
  const figures = useDeferredValue(told.figures);
  const sources = useDeferredValue(told.sources);
  return (
    <div className={styles['cards']}>
      <DashboardCard title="Known exploited and new" wide>
        {figures === undefined ? (
          <Waiting rows={6} />
        ) : (
          <NewsOfExploits
            news={figures.news}
            kev={sources?.find(({ source }) => source === 'kev')}
          />
        )}
      </DashboardCard>
      <DashboardCard title="Stale and silent sources">
        {sources === undefined ? <Waiting rows={6} /> : <SourcesToLookInto sources={sources} />}
      </DashboardCard>
      <DashboardCard title="Patches by week" wide>
        {figures === undefined ? <Waiting rows={6} /> : <WeekBars weeks={figures.weeks} />}
      </DashboardCard>
      <DashboardCard title="Critical in 30 days, by vendor">
        {figures === undefined ? (
          <Waiting rows={6} />
        ) : (
          <CriticalByVendor rows={figures.critical} />
        )}
      </DashboardCard>
      <DashboardCard title="Source rhythm" wide>
        {sources === undefined ? <Waiting rows={11} /> : <SourceFreshness sources={sources} />}
      </DashboardCard>
      <Machines />
      <div className={styles['column']}>
        <DashboardCard title="Licensed clients">
          {figures === undefined ? <Waiting rows={4} /> : <ClientFigures figures={figures} />}
        </DashboardCard>
        <DashboardCard title="Last runs">
          {figures === undefined ? <Waiting rows={10} /> : <LastRuns runs={figures.runs} />}
        </DashboardCard>
      </div>
    </div>
  );
}

/** Asked for by itself, so that the other figures do not wait for it. */
function Machines() {
  const { data } = useFleetSummary();
  if (data === undefined) return null;
  return (
    <DashboardCard title="Machines of clients" wide>
      <FleetCard summary={data} />
    </DashboardCard>
  );
}

const Waiting = ({ rows }: { readonly rows: number }) => <Skeleton rows={rows} />;

const lastEnd = (sources: readonly SourceState[]): number =>
  Math.max(0, ...sources.map(({ run }) => run?.endedAt ?? 0));

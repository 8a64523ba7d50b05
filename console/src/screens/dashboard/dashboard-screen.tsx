/** How the service stands: fresh sources, new critical updates, the last runs, licences and clients. Each number leads to the list that proves it. */

import { dashboardEndpoint } from '@patch/contract/dashboard-endpoint.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { useSources } from '../../api/use-sources.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { ClientFigures } from './client-figures.tsx';
import { CriticalChart } from './critical-chart.tsx';
import { DashboardCard } from './dashboard-card.tsx';
import styles from './dashboard-screen.module.css';
import { freshnessText } from './freshness-text.ts';
import { LastRuns } from './last-runs.tsx';
import { SourceFreshness } from './source-freshness.tsx';

const refreshedEvery = 60_000;

export function DashboardScreen() {
  const zone = timeZone();
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
        <div className={styles['columns']}>
          <div className={styles['column']}>
            <DashboardCard title="New critical updates">
              {figures.data === undefined ? (
                <Waiting rows={6} />
              ) : (
                <CriticalChart rows={figures.data.critical} sources={sources.data} />
              )}
            </DashboardCard>
            <DashboardCard title="Last runs">
              {figures.data === undefined ? (
                <Waiting rows={10} />
              ) : (
                <LastRuns runs={figures.data.runs} />
              )}
            </DashboardCard>
          </div>
          <div className={styles['column']}>
            <DashboardCard title="Sources">
              {sources.data === undefined ? (
                <Waiting rows={11} />
              ) : (
                <SourceFreshness sources={sources.data} />
              )}
            </DashboardCard>
            <DashboardCard title="Licensed clients">
              {figures.data === undefined ? (
                <Waiting rows={4} />
              ) : (
                <ClientFigures figures={figures.data} />
              )}
            </DashboardCard>
          </div>
        </div>
      )}
    </>
  );
}

const Waiting = ({ rows }: { readonly rows: number }) => (
  <Skeleton active title={false} paragraph={{ rows }} />
);

const lastEnd = (sources: readonly SourceState[]): number =>
  Math.max(0, ...sources.map(({ run }) => run?.endedAt ?? 0));

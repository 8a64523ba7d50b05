/** The dashboard shows what to patch first, what is new, and which sources to trust; the first steps while nothing is synced. Each number links to its records. */

import {
  dashboardEndpoint,
  dashboardVisitEndpoint,
  type DashboardFigures as Figures,
} from '@patch/contract/reports/dashboard-endpoint.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';
import { callApi } from '../../api/call-api.ts';
import { updateFrame, usePreferences, waitForFrame } from '../../api/preferences.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { useSources } from '../../api/use-sources.ts';
import { FleetCard } from '../../fleet/fleet-card.tsx';
import { useFleetSummary } from '../../fleet/use-fleet.ts';
import { summariseSources } from '../../runs/sources-summary.ts';
import { monthsPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { ClientFigures } from './client-figures.tsx';
import { CriticalByVendor } from './critical-by-vendor.tsx';
import { DashboardCard } from './dashboard-card.tsx';
import styles from './dashboard-screen.module.css';
import { ExploitNews } from './exploit-news.tsx';
import { FirstSteps, type StepDrawers } from './first-steps.tsx';
import { PatchFirst } from './patch-first.tsx';
import { SourceGrid } from './source-grid.tsx';
import { WeekBars } from './week-bars.tsx';

const refreshIntervalMs = 60_000;

export function DashboardScreen({ drawers }: { readonly drawers: StepDrawers }) {
  const zone = timeZone();
  useDashboardVisit();
  const sources = useSources();
  const { frame } = usePreferences();
  const figures = useQuery({
    // The key contains the end of the last run, because a run changes the figures.
    queryKey: queryKeys.dashboard.figures(
      zone,
      getLastRunEnd(sources.data ?? []),
      frame.products ?? null,
    ),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      await waitForFrame();
      return callApi(dashboardEndpoint, { query: { timeZone: zone }, signal });
    },
    refetchInterval: refreshIntervalMs,
    refetchIntervalInBackground: false,
  });
  const reload = () => {
    void figures.refetch();
    void sources.refetch();
  };
  const steps = useFirstSteps(sources.data, sources.isPending);
  const failure = figures.data === undefined ? figures.error : null;
  return (
    <>
      <PageHeader
        title="Dashboard"
        beside={sources.data === undefined ? undefined : summariseSources(sources.data)}
        actions={<Link to={monthsPath}>Updates of this month</Link>}
      />
      {failure !== null ? (
        <LoadFailure what="dashboard" failure={failure} onReload={reload} />
      ) : steps.isUndecided ? (
        <Skeleton rows={10} />
      ) : (
        <>
          {steps.areShown && (
            <FirstSteps drawers={drawers} sources={sources.data ?? []} onDismiss={steps.dismiss} />
          )}
          {steps.isEmpty ? null : <Cards figures={figures.data} sources={sources.data} />}
        </>
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
  // The other cards follow at once with the first one, so that none moves when the ranking arrives.
  if (figures === undefined)
    return (
      <div className={`${styles['cards']} grid grid-cols-1 gap-4 min-w-0 mt-4`}>
        <DashboardCard title="Patch these first">
          <Skeleton rows={10} />
        </DashboardCard>
      </div>
    );
  const { critical, news, patchFirst, weeks } = figures;
  return (
    <div className={`${styles['cards']} grid grid-cols-1 gap-4 min-w-0 mt-4`}>
      <DashboardCard title="Patch these first">
        <PatchFirst ranking={patchFirst} />
      </DashboardCard>
      <div className={`${styles['columns']} flex items-start gap-4`}>
        <div className={`${styles['column']} grid grid-cols-1 gap-4 min-w-0`}>
          <DashboardCard title="New since your last visit">
            <ExploitNews
              news={news}
              backlog={patchFirst.backlog}
              kev={sources?.find(({ source }) => source === 'kev')}
            />
          </DashboardCard>
          {weeks.some(({ figure }) => figure.totalCount > 0) && (
            <DashboardCard title="Patches by week">
              <WeekBars weeks={weeks} />
            </DashboardCard>
          )}
        </div>
        {critical.length > 0 || hasClients(figures) ? (
          <div className={`${styles['column']} grid grid-cols-1 gap-4 min-w-0`}>
            {critical.length > 0 && (
              <DashboardCard title="Critical in 30 days, by vendor">
                <CriticalByVendor rows={critical} />
              </DashboardCard>
            )}
            {hasClients(figures) && (
              <DashboardCard title="Licensed clients">
                <ClientFigures figures={figures} />
              </DashboardCard>
            )}
          </div>
        ) : null}
      </div>
      <DashboardCard title="Sources">
        {sources === undefined ? <Skeleton rows={6} /> : <SourceGrid sources={sources} />}
      </DashboardCard>
      <Machines />
    </div>
  );
}

const hasClients = ({ clients }: Figures) => clients.totalCount > 0;

/** Loaded separately, so that it does not delay the other figures. */
function Machines() {
  const { data } = useFleetSummary();
  if (data === undefined || data.machines === 0) return null;
  return (
    <DashboardCard title="Machines of clients">
      <FleetCard summary={data} />
    </DashboardCard>
  );
}

const getLastRunEnd = (sources: readonly SourceState[]): number =>
  Math.max(0, ...sources.map(({ run }) => run?.endedAt ?? 0));

/** Records on the server that the user opened the dashboard, once per opening. */
function useDashboardVisit(): void {
  useEffect(() => {
    // A failure is ignored: at the next visit, some old items count as new.
    callApi(dashboardVisitEndpoint, {}).catch(() => undefined);
  }, []);
}

/** Decides when the dashboard shows the first steps: in every browser of an administrator, until they are done or hidden. */
function useFirstSteps(sources: readonly SourceState[] | undefined, isPending: boolean) {
  const { frame, loading, failed = false } = usePreferences();
  const isEmpty =
    sources !== undefined &&
    sources.length > 0 &&
    sources.every(({ lastSuccessAt }) => lastSuccessAt === null);
  return {
    // No card may stand where the steps push it down.
    isUndecided: isPending || (loading && !failed),
    isEmpty,
    areShown: isEmpty || (sources !== undefined && !loading && frame.firstSteps !== 'hidden'),
    dismiss: () => updateFrame({ firstSteps: 'hidden' }),
  };
}

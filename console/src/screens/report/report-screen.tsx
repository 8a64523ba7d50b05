/** The report of a group of machines and a period. Made to be printed. */
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import {
  type GroupReport,
  groupReportEndpoint,
} from '@patch/contract/reports/group-report-endpoint.ts';
import { defaultReportDays, reportPeriods } from '@patch/contract/reports/report-periods.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useIsLimited, useMay } from '../../api/session.ts';
import { useGroups } from '../../fleet/use-groups.ts';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { PlainSelect } from '../../widgets/plain-select.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { DaysToPatch } from './days-to-patch.tsx';
import { ExposureCurve } from './exposure-curve.tsx';
import styles from './report.module.css';
import { EndingExceptions, SilentSources } from './report-concerns.tsx';
import { ReportMails } from './report-mails.tsx';
import { ReportNumbers } from './report-numbers.tsx';

export function ReportScreen() {
  const search = useSearch({ strict: false });
  const { days = defaultReportDays } = search;
  const isLimited = useIsLimited();
  const groups = useGroups();
  // Days are counted by group: who does not see all machines reads the report of one.
  const group = search.group ?? (isLimited ? groups.data?.[0]?.name : undefined);
  const names = (groups.data ?? []).map(({ name }) => name);
  const maySend = useMay('admin');
  const query = { days: String(days), ...(group !== undefined && { group }) };
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.machines.report(query),
    queryFn: ({ signal }) => callApi(groupReportEndpoint, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: group !== undefined || !isLimited || groups.isSuccess,
  });
  return (
    <div className={styles['page']}>
      <PageHeader
        title={group === undefined ? 'Report of all machines' : `Report of ${group}`}
        actions={
          <span className={styles['actions']}>
            {maySend && <ReportMails group={group} days={days} />}
            <Button small onClick={() => globalThis.print()}>
              Print
            </Button>
          </span>
        }
      />
      <Choices group={group} days={days} names={names} />
      {error !== null ? (
        <LoadFailure what="report" failure={error} onReload={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={10} />
      ) : (
        <Content report={data} />
      )}
    </div>
  );
}

const allMachines = '';

interface ChoicesProps {
  readonly group: string | undefined;
  readonly days: number;
  /** Names of the groups to choose from. */
  readonly names: readonly string[];
}

function Choices({ group, days, names }: ChoicesProps) {
  const navigate = useNavigate();
  const isLimited = useIsLimited();
  const known = group === undefined || names.includes(group) ? names : [group, ...names];
  const go = (change: object) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, ...change })) as never });
  return (
    <div className={styles['choices']}>
      <PlainSelect
        label="Group"
        value={group ?? allMachines}
        options={[
          ...(isLimited ? [] : [{ value: allMachines, label: 'All machines' }]),
          ...known.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => go({ group: name === allMachines ? undefined : name })}
      />
      <PlainSelect
        label="Period"
        value={days}
        options={reportPeriods.map((value) => ({ value, label: `Last ${value} days` }))}
        onChange={(value) => go({ days: value === defaultReportDays ? undefined : value })}
      />
    </div>
  );
}

function Content({ report }: { readonly report: GroupReport }) {
  return (
    <>
      <p className={styles['quiet']}>
        As of {utcMinute(report.countedAt)}. The last {report.days} days, from{' '}
        {utcMinute(report.from).slice(0, 10)}.
      </p>
      <ReportNumbers report={report} />
      <ExposureCurve report={report} />
      <DaysToPatch report={report} />
      <EndingExceptions report={report} />
      <SilentSources report={report} />
    </>
  );
}

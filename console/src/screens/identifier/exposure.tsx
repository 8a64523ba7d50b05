/** Answers in a few sentences whether a CVE concerns the reader. */
import {
  cveMachinesEndpoint,
  type Vulnerability,
  vulnerabilityEndpoint,
} from '@patch/contract/records/vulnerability-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSources } from '../../api/use-sources.ts';
import { MissingMachines } from '../../fleet/missing-machines.tsx';
import { PlanMissedRecord } from '../../fleet/plan-missed-record.tsx';
import { useNow } from '../../widgets/ticking-clock.ts';
import styles from './exposure.module.css';
import { describeExposure, listAlarms } from './exposure-text.ts';

/** Shares the reply between the screens that show it. */
export const useVulnerability = (cve: string) =>
  useQuery({
    ...apiQuery(queryKeys.identifiers.vulnerability(cve), vulnerabilityEndpoint, {
      params: { cve },
    }),
    retry: false,
  });

interface ExposureProps {
  readonly cve: string;
  /** Called when a link is followed, to close a layer above the page. */
  readonly onFollow?: () => void;
}

/** Renders nothing while loading, and for a CVE that nothing here mentions. */
export function Exposure({ cve, onFollow }: ExposureProps) {
  const { data } = useVulnerability(cve);
  return data === undefined ? null : (
    <Sentences cve={cve} vulnerability={data} onFollow={onFollow} />
  );
}

interface SentencesProps {
  readonly cve: string;
  readonly vulnerability: Vulnerability;
  readonly onFollow: (() => void) | undefined;
}

function Sentences({ cve, vulnerability, onFollow }: SentencesProps) {
  const { data: machines, isPending } = useQuery({
    queryKey: queryKeys.identifiers.machines(cve),
    queryFn: ({ signal }) => callApi(cveMachinesEndpoint, { params: { cve }, signal }),
    retry: false,
  });
  const { data: sources } = useSources();
  const now = useNow();
  const alarms = listAlarms(vulnerability.row, now);
  return (
    <div aria-live="polite" className={`${styles['exposure']} grid gap-2`}>
      {alarms.length > 0 && (
        <p className={`${styles['alarms']} py-1 px-3 rounded text-danger font-600`}>
          {alarms.join(' · ')}
        </p>
      )}
      {sources !== undefined && !isPending && (
        <p>
          {describeExposure({ vulnerability, sources, now })}
          {machines !== undefined && (
            <>
              {' '}
              <MissingMachines counts={machines} named={cve} onFollow={onFollow} />
            </>
          )}
        </p>
      )}
      {machines !== undefined && onFollow === undefined && (
        <PlanMissedRecord counts={machines} named={cve} />
      )}
    </div>
  );
}

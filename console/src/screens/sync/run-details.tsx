/** The details of a run: outcome, initiator, warnings, changes and rejections. */

import { SyncOutlined } from '@ant-design/icons-svg';
import { runRejectionsEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { stateLooks } from '../../runs/run-text.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { RunChanges } from './run-changes.tsx';
import styles from './run-details.module.css';
import { RunPage } from './run-page.tsx';

const withCount = (word: string, count: number) => `${word} ${formatNumber(count)}`;

/** States of runs that ended without finishing their work. */
const unfinished: readonly Run['state'][] = ['failed', 'interrupted', 'cancelled'];

export interface RunDetailsProps {
  readonly run: Run;
  /** Starts the sync again; `why` explains why it cannot start now. Undefined for users who may not start syncs. */
  readonly retry: { readonly why: string | null; readonly onRetry: () => void } | undefined;
}

export function RunDetails({ run, retry }: RunDetailsProps) {
  const { show = 'changes' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const changes = run.added + run.changed + run.withdrawn;
  const tabs = [
    { key: 'changes', label: withCount('Changes', changes), children: <RunChanges run={run} /> },
    {
      key: 'rejections',
      label: withCount('Rejected', run.rejected),
      children: <RunRejections run={run} />,
    },
    ...(run.warnings.length === 0
      ? []
      : [
          {
            key: 'warnings',
            label: withCount('Warnings', run.warnings.length),
            children: <Warnings warnings={run.warnings} />,
          },
        ]),
  ];
  const hasFailed = run.state === 'failed' || run.state === 'interrupted';
  return (
    <div className={`${styles['run']} grid gap-3 text-dense`}>
      {run.message === null ? null : hasFailed ? (
        <Notice
          kind="error"
          title={stateLooks[run.state].word}
          description={runMessageText(run.message)}
        />
      ) : (
        <p>{runMessageText(run.message)}</p>
      )}
      {retry === undefined || !unfinished.includes(run.state) ? null : (
        <div className="flex flex-wrap items-center gap-y-1 gap-x-3 text-quiet text-small">
          <Button
            small
            icon={<Icon of={SyncOutlined} />}
            disabled={retry.why !== null}
            onClick={retry.onRetry}
          >
            Retry
          </Button>
          {retry.why === null ? null : <span>{retry.why}</span>}
        </div>
      )}
      <dl className={`${styles['facts']} grid gap-y-1 gap-x-4 m-0`}>
        <dt className="text-quiet">Started by</dt>
        <dd className="m-0">{run.startedBy === 'schedule' ? 'the schedule' : run.startedBy}</dd>
        <dt className="text-quiet">Started</dt>
        <dd className="m-0">
          <ExactTime value={run.startedAt ?? run.queuedAt} />
        </dd>
        {run.endedAt === null ? null : (
          <>
            <dt className="text-quiet">Ended</dt>
            <dd className="m-0">
              <ExactTime value={run.endedAt} />
            </dd>
          </>
        )}
        <dt className="text-quiet">Unchanged</dt>
        <dd className="m-0 figures">{formatNumber(run.unchanged)}</dd>
      </dl>
      <Tabs
        size="small"
        items={tabs}
        activeKey={tabs.some(({ key }) => key === show) ? show : 'changes'}
        onChange={(key) =>
          void navigate({
            to: '.',
            search: { source: run.source, run: run.id, show: key as typeof show },
            replace: true,
          })
        }
      />
    </div>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly RunMessage[] }) {
  return (
    <ul className="m-0 pl-4">
      {warnings.map(runMessageText).map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}

/** The vendor's records that a run rejected, with the reason and the document. */
function RunRejections({ run }: { readonly run: Run }) {
  return (
    <RunPage
      queryKey={queryKeys.runs.rejections(run.id)}
      load={(query, signal) =>
        callApi(runRejectionsEndpoint, { params: { runId: String(run.id) }, query, signal })
      }
      emptyText={run.endedAt === null ? 'No rejected records so far.' : 'No records were rejected.'}
      expected={run.rejected}
      renderRow={({ id, record, reason, url }) => (
        <li key={id} className="grid break-anywhere">
          <code>{record}</code>
          <span>{reason}</span>
          <span className="text-quiet text-small">{url}</span>
        </li>
      )}
    />
  );
}

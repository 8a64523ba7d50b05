/** A source's past runs, newest first; the chosen one with what it changed, what it kept out and why. */

import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { fetchAuditEndpoint } from '@patch/contract/run-endpoints.ts';
import { runStageText } from '@patch/contract/run-message-text.ts';
import { type Run, type SourceState } from '@patch/contract/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Drawer } from 'antd';
import { useState } from 'react';
import { ApiCallError, callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { startBlockedReason } from '../../runs/run-text.ts';
import { StateWord } from '../../runs/state-word.tsx';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { durationText } from '../../widgets/time-text.ts';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { OneRun, type OneRunProps } from './one-run.tsx';
import styles from './run-drawer.module.css';

const runsAtOnce = 20;

export interface RunDrawerProps {
  /** Undefined: closed. */
  readonly source: SourceKey | undefined;
  /** How it stands now. */
  readonly state: SourceState | undefined;
  /** Undefined: the person may only look. */
  readonly onRetry: ((source: SourceKey) => void) | undefined;
  readonly onClose: () => void;
}

export function RunDrawer({ source, state, onRetry, onClose }: RunDrawerProps) {
  // What it shows while it slides away.
  const [shown, setShown] = useState(source);
  if (source !== undefined && source !== shown) setShown(source);
  return (
    <Drawer
      open={source !== undefined}
      onClose={onClose}
      size={sizes.drawer}
      destroyOnHidden
      title={
        shown === undefined ? null : (
          <span className={styles['title']}>
            <SourceMark of={shown} /> Runs of {sourceLabels[shown]}
          </span>
        )
      }
    >
      {shown === undefined ? null : (
        <Runs key={shown} source={shown} state={state} onRetry={onRetry} />
      )}
    </Drawer>
  );
}

interface RunsProps extends Pick<RunDrawerProps, 'state' | 'onRetry'> {
  readonly source: SourceKey;
}

function Runs({ source, state, onRetry }: RunsProps) {
  const [shown, setShown] = useState(runsAtOnce);
  const { run: chosen } = useSearch({ strict: false });
  const navigate = useNavigate();
  const audit = useRuns(source, shown, state);

  if (audit.isPending) return <Skeleton rows={8} />;
  if (audit.data === undefined)
    return <RunsFailure failure={audit.error} onReload={() => void audit.refetch()} />;
  const { objList, totalCount } = audit.data;
  if (objList.length === 0)
    return (
      <StateDrawing state="empty" title="No runs yet">
        This source has not been synced yet.
      </StateDrawing>
    );
  const open = chosen ?? objList[0]?.id;
  const retry =
    onRetry === undefined || state === undefined
      ? undefined
      : {
          why: startBlockedReason(state),
          onRetry: () => {
            onRetry(source);
            // The newest is open unless another is chosen.
            void navigate({ to: '.', search: { source }, replace: true });
          },
        };
  return (
    <>
      <ol className={styles['runs']}>
        {objList.map((past) => (
          <RunItem
            key={past.id}
            past={past}
            open={past.id === open}
            retry={retry}
            onToggle={() =>
              void navigate({
                to: '.',
                search: { source, run: past.id === open ? 0 : past.id },
                replace: true,
              })
            }
          />
        ))}
      </ol>
      {totalCount > objList.length ? (
        <Button
          className={styles['more'] ?? ''}
          loading={audit.isFetching}
          onClick={() => setShown(Math.min(1000, shown * 2))}
        >
          Load more
        </Button>
      ) : null}
    </>
  );
}

/** The newest `count` runs; read again while one of them is running. */
function useRuns(source: SourceKey, count: number, state: SourceState | undefined) {
  return useQuery({
    // A run that has begun or ended since is asked for at once.
    queryKey: queryKeys.runs.page(source, count, state?.run?.id, state?.run?.state),
    queryFn: ({ signal }) =>
      callApi(fetchAuditEndpoint, {
        params: { type: source },
        query: { offset: '0', size: String(count) },
        signal,
      }),
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) =>
      data?.objList.some(({ status }) => status === 'running') ? 2000 : false,
  });
}

interface RunsFailureProps {
  readonly failure: Error | null;
  readonly onReload: () => void;
}

function RunsFailure({ failure, onReload }: RunsFailureProps) {
  const known = failure instanceof ApiCallError ? failure : null;
  return (
    <StateDrawing
      state="failure"
      title="Error While Fetching Data."
      requestId={known?.requestId}
      action={<Button onClick={onReload}>Reload</Button>}
    >
      {known?.userMessage}
    </StateDrawing>
  );
}

interface RunItemProps {
  readonly past: NonNullable<ReturnType<typeof useRuns>['data']>['objList'][number];
  readonly open: boolean;
  readonly retry: OneRunProps['retry'];
  readonly onToggle: () => void;
}

/** A line that opens the run below it. */
function RunItem({ past: { time, run }, open, retry, onToggle }: RunItemProps) {
  return (
    <li className={styles['run']} data-open={open || undefined}>
      <button type="button" className={styles['line']} aria-expanded={open} onClick={onToggle}>
        <StateWord state={run.state} />
        <span className={styles['when']}>
          <TimeAgo value={time} />
          {run.startedAt === null || run.endedAt === null
            ? null
            : ` · ${durationText(run.endedAt - run.startedAt)}`}
        </span>
        <span className={styles['counts']}>
          {run.endedAt === null ? <Stage run={run} /> : <ChangeCounts run={run} />}
        </span>
      </button>
      {open ? <OneRun run={run} retry={retry} /> : null}
    </li>
  );
}

function Stage({ run: { stage } }: { readonly run: Pick<Run, 'stage'> }) {
  return stage === null ? null : runStageText(stage);
}

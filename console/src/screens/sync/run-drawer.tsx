/** The past runs of a source, newest first. The selected one shows its changes, rejections and their reasons. */

import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import { fetchAuditEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import { runStageText } from '@patch/contract/sources/run-message-text.ts';
import { type Run, type SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Drawer } from 'antd';
import { useState } from 'react';
import { ApiCallError, callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { getStartBlockedReason } from '../../runs/run-text.ts';
import { StateWord } from '../../runs/state-word.tsx';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { durationText } from '../../widgets/time-text.ts';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { RunDetails, type RunDetailsProps } from './run-details.tsx';
import styles from './run-drawer.module.css';

const pageSize = 20;

export interface RunDrawerProps {
  /** The drawer is closed while this is undefined. */
  readonly source: SourceKey | undefined;
  /** The present state of the source. */
  readonly state: SourceState | undefined;
  /** Undefined for users who may not start syncs. */
  readonly onRetry: ((source: SourceKey) => void) | undefined;
  readonly onClose: () => void;
}

export function RunDrawer({ source, state, onRetry, onClose }: RunDrawerProps) {
  // The drawer shows the last source while it slides out.
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
          <span className="flex items-center gap-2">
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
  const [shown, setShown] = useState(pageSize);
  const { run: chosen } = useSearch({ strict: false });
  const navigate = useNavigate();
  const page = useRuns(source, shown, state);

  if (page.isPending) return <Skeleton rows={8} />;
  if (page.data === undefined)
    return <RunsFailure failure={page.error} onReload={() => void page.refetch()} />;
  const { objList, totalCount } = page.data;
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
          why: getStartBlockedReason(state),
          onRetry: () => {
            onRetry(source);
            // Without a selection the newest run is open.
            void navigate({ to: '.', search: { source }, replace: true });
          },
        };
  return (
    <>
      <ol className="plain-list divide-y border rounded">
        {objList.map((entry) => (
          <RunItem
            key={entry.id}
            past={entry}
            open={entry.id === open}
            retry={retry}
            onToggle={() =>
              void navigate({
                to: '.',
                search: { source, run: entry.id === open ? 0 : entry.id },
                replace: true,
              })
            }
          />
        ))}
      </ol>
      {totalCount > objList.length ? (
        <Button
          className={styles['more'] ?? ''}
          loading={page.isFetching}
          onClick={() => setShown(Math.min(1000, shown * 2))}
        >
          Load more
        </Button>
      ) : null}
    </>
  );
}

/** Loads the newest `count` runs, and polls while one of them is running. */
function useRuns(source: SourceKey, count: number, state: SourceState | undefined) {
  return useQuery({
    // The key contains the latest run, so that a new state reloads the list at once.
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
  const apiError = failure instanceof ApiCallError ? failure : null;
  return (
    <StateDrawing
      state="failure"
      title="Error While Fetching Data."
      requestId={apiError?.requestId}
      action={<Button onClick={onReload}>Reload</Button>}
    >
      {apiError?.userMessage}
    </StateDrawing>
  );
}

interface RunItemProps {
  readonly past: NonNullable<ReturnType<typeof useRuns>['data']>['objList'][number];
  readonly open: boolean;
  readonly retry: RunDetailsProps['retry'];
  readonly onToggle: () => void;
}

/** A row that expands to show its run. */
function RunItem({ past: { time, run }, open, retry, onToggle }: RunItemProps) {
  return (
    <li data-open={open || undefined}>
      <button
        type="button"
        className={`${styles['line']} grid gap-x-4 w-full py-2 px-3 rounded text-dense leading-row`}
        aria-expanded={open}
        onClick={onToggle}
      >
        <StateWord state={run.state} />
        <span className="text-quiet text-small">
          <TimeAgo value={time} />
          {run.startedAt === null || run.endedAt === null
            ? null
            : ` · ${durationText(run.endedAt - run.startedAt)}`}
        </span>
        <span className="col-span-full pl-5 text-small">
          {run.endedAt === null ? <Stage run={run} /> : <ChangeCounts run={run} />}
        </span>
      </button>
      {open ? <RunDetails run={run} retry={retry} /> : null}
    </li>
  );
}

function Stage({ run: { stage } }: { readonly run: Pick<Run, 'stage'> }) {
  return stage === null ? null : runStageText(stage);
}

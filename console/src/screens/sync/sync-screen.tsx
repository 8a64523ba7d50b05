/** All sources with state, last run, next run and actions. Drawers show past runs and settings. */

import { SyncOutlined } from '@ant-design/icons-svg';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useMay } from '../../api/session.ts';
import { isUnderWay, useSources } from '../../api/use-sources.ts';
import { countFailed, summariseSources } from '../../runs/sources-summary.ts';
import { rankSource } from '../../runs/state-word.tsx';
import { Button, type ButtonProps } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { useNow } from '../../widgets/ticking-clock.ts';
import { RunDrawer } from './run-drawer.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';
import { SourceRow, type SourceRowProps } from './source-row.tsx';
import styles from './sync-screen.module.css';
import { type SyncActions, useSyncActions } from './use-sync-actions.ts';

export function SyncScreen() {
  const sources = useSources();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const actions = useSyncActions();
  const mayAct = useMay('admin');
  const selectedSource = sourceKeys.find((key) => key === search.source);
  const settingsSource = mayAct ? sourceKeys.find((key) => key === search.settings) : undefined;
  const close = () => void navigate({ to: '.', search: {}, replace: true });

  const states = sources.data ?? [];
  useFailureTitle(countFailed(states));
  const idle = states.filter((state) => state.available && state.enabled && !isUnderWay(state));
  const all = {
    loading: actions.startingAll,
    onClick: () => void actions.startAll(idle.map(({ source }) => source)),
  };
  const fresh = sources.isSuccess && states.every(({ run }) => run === null);

  return (
    <>
      <PageHeader
        title="Sync"
        beside={
          sources.isSuccess ? <span aria-live="polite">{summariseSources(states)}</span> : undefined
        }
        actions={
          mayAct && sources.isSuccess && !fresh ? (
            <Button
              icon={<Icon of={SyncOutlined} />}
              disabled={idle.length === 0 && !actions.startingAll}
              {...all}
            >
              Sync all available
            </Button>
          ) : undefined
        }
      />
      {sources.isPending ? (
        <Skeleton rows={11} className={styles['loading'] ?? ''} />
      ) : sources.data === undefined ? (
        <LoadFailure
          what="sources"
          failure={sources.error}
          onReload={() => void sources.refetch()}
        />
      ) : (
        <>
          {fresh ? <NothingSynced mayAct={mayAct} all={all} /> : null}
          <SourceList
            states={states}
            renderRow={(state) => (
              <ActingRow key={state.source} state={state} mayAct={mayAct} actions={actions} />
            )}
          />
        </>
      )}
      <RunDrawer
        source={selectedSource}
        state={states.find(({ source }) => source === selectedSource)}
        onRetry={mayAct ? (source) => actions.start.mutate(source) : undefined}
        onClose={close}
      />
      <SettingsDrawer source={settingsSource} onClose={close} />
    </>
  );
}

interface ActingRowProps extends Pick<SourceRowProps, 'state' | 'mayAct'> {
  readonly actions: SyncActions;
}

/** Connects a source's row with its actions and drawers. */
function ActingRow({ state, mayAct, actions }: ActingRowProps) {
  const { source } = state;
  const { start, cancel, decide } = actions;
  const navigate = useNavigate();
  return (
    <SourceRow
      state={state}
      mayAct={mayAct}
      isStartPending={
        (start.isPending && start.variables === source) ||
        (decide.isPending && decide.variables.source === source)
      }
      onStart={() => start.mutate(source)}
      onCancel={() => cancel.mutate(source)}
      onHistory={() => void navigate({ to: '.', search: { source } })}
      onSettings={() => void navigate({ to: '.', search: { settings: source } })}
      onDecide={(entry, answer) => decide.mutate({ source, entry, answer })}
    />
  );
}

interface SourceListProps {
  readonly states: readonly SourceState[];
  readonly renderRow: (state: SourceState) => ReactNode;
}

/** Sources with problems first, otherwise in the server's order. */
function SourceList({ states, renderRow }: SourceListProps) {
  const now = useNow();
  const ordered = states.toSorted((a, b) => rankSource(a, now) - rankSource(b, now));
  return (
    <div className={`${styles['room']} mt-4`}>
      <ul
        className={`${styles['sources']} plain-list divide-y border rounded bg-surface`}
        aria-label="Sources"
      >
        <li
          className={`${styles['head']} grid gap-4 py-2 px-4 bg-canvas text-quiet text-small font-600`}
          aria-hidden="true"
        >
          <span>Source</span>
          <span>State</span>
          <span>Last run</span>
          <span>Records</span>
          <span>Next run</span>
        </li>
        {ordered.map(renderRow)}
      </ul>
    </div>
  );
}

function NothingSynced({
  mayAct,
  all,
}: {
  readonly mayAct: boolean;
  readonly all: Pick<ButtonProps, 'loading' | 'onClick'>;
}) {
  return (
    <div className="mt-4 border rounded bg-surface">
      <StateDrawing
        state="empty"
        title="Nothing synced yet"
        action={
          mayAct ? (
            <Button look="primary" icon={<Icon of={SyncOutlined} />} {...all}>
              Sync all available
            </Button>
          ) : undefined
        }
      >
        {mayAct
          ? 'The first sync fetches each vendor’s whole catalogue. This takes a few minutes per source; the lists fill while it runs.'
          : 'An administrator starts the first sync. The lists fill while it runs.'}
      </StateDrawing>
    </div>
  );
}

/** Adds the number of failed sources to the page title, so that a background tab shows it. */
const countPrefix = /^\(\d+ failed\) /;

function useFailureTitle(failed: number): void {
  useEffect(() => {
    const baseTitle = document.title.replace(countPrefix, '');
    document.title = failed === 0 ? baseTitle : `(${failed} failed) ${baseTitle}`;
    return () => {
      document.title = document.title.replace(countPrefix, '');
    };
  }, [failed]);
}

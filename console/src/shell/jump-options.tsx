/** What the command box offers for the typed words: screens, commands, actions of the open page, and records. */
import { SearchOutlined } from '@ant-design/icons-svg';
import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import { identifierRecordsEndpoint } from '@patch/contract/shared-identifier-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { useThemeMode } from '../api/theme-mode.ts';
import { toast } from '../api/toast.ts';
import { useSources } from '../api/use-sources.ts';
import { useSyncActions } from '../screens/sync/use-sync-actions.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';
import { OptionList } from '../widgets/option-list.tsx';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import { type FrameActions, type JumpCommand, jumpCommands } from './jump-commands.ts';
import styles from './jump-dialog.module.css';
import { jumpTargets, namedBy } from './jump-targets.ts';
import { type PageAction, pageActions } from './page-actions.ts';
import { mainId } from './page-announcer.tsx';

/** Of each list: the others stand on the identifier's own page. */
const recordsOfList = 3;
const actionsShown = 8;
const typingRests = 200;

interface Jump {
  readonly key: string;
  readonly content: ReactNode;
  readonly run: () => void;
}

interface JumpOptionsProps {
  /** The option's element ids begin with it. */
  readonly id: string;
  readonly typed: string;
  readonly active: number;
  readonly entered: boolean;
  readonly frame: FrameActions;
  readonly onCount: (options: number) => void;
  readonly onRun: (action: () => void) => void;
  /** Enter was pressed, and nothing matches. */
  readonly onUnanswered: () => void;
}

export function JumpOptions(props: JumpOptionsProps) {
  const { id, typed, active, entered, frame, onCount, onRun, onUnanswered } = props;
  const go = useGo();
  const { records, searching, error } = useRecordJumps(typed, entered, go);
  const jumps = [...screenJumps(typed, go), ...useActionJumps(typed, frame, go), ...records];
  // The box counts what it was told; at first it was told nothing.
  const at = Math.max(0, active);
  const chosen = jumps[at];

  useEffect(() => onCount(jumps.length), [jumps.length, onCount]);
  useEffect(() => {
    document.getElementById(`${id}${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const answer = useEffectEvent(() => {
    if (chosen !== undefined) onRun(chosen.run);
    else if (!searching) onUnanswered();
  });
  const answerable = entered && (chosen !== undefined || !searching);
  useEffect(() => {
    if (answerable) answer();
  }, [answerable]);

  return (
    <search>
      <OptionList
        id={id}
        label="Screens, commands and records"
        busy={searching}
        className={styles['jumps']}
        optionClassName={styles['jump']}
        options={jumps}
        active={at}
        keyOf={({ key }) => key}
        contentOf={({ content }) => content}
        onChoose={({ run }) => onRun(run)}
      />
      <p className={styles['note']} aria-live="polite">
        {searching ? 'Looking…' : (error?.message ?? (jumps.length === 0 ? 'No matches.' : ''))}
      </p>
    </search>
  );
}

type Go = (path: string, search?: object) => void;

function useGo(): Go {
  const navigate = useNavigate();
  return (to, search = {}) => void navigate({ to, search: search as never });
}

function screenJumps(typed: string, go: Go): readonly Jump[] {
  return jumpTargets(typed).map(({ path, label, mark }) => ({
    key: path,
    run: () => go(path),
    content: (
      <>
        <VendorMark of={mark} size={20} /> {label}
      </>
    ),
  }));
}

/** Commands before the page's own actions; without words those of the page alone. */
function useActionJumps(typed: string, frame: FrameActions, go: Go): readonly Jump[] {
  const isAdmin = useSession().user?.userType === 'Admin';
  const { data: sources = [] } = useSources();
  const { setMode } = useThemeMode();
  const { start } = useSyncActions();
  // The page below does not change while the box is over it.
  const [onPage] = useState(() => pageActions(document.getElementById(mainId)));
  const commands = jumpCommands({
    ...frame,
    isAdmin,
    sources,
    go,
    setTheme: setMode,
    sync: (chosen) => {
      const started = chosen.map(({ source }) => start.mutateAsync(source));
      void Promise.all(started).then(
        () =>
          toast.success(
            chosen.length === 1
              ? `Sync of ${chosen[0]?.label} started.`
              : `${chosen.length} syncs started.`,
          ),
        // The call itself reports what failed.
        () => undefined,
      );
    },
  });
  const isCommand = new Set(commands.map(({ label }) => label));
  const ofPage = onPage.filter(({ label }) => !isCommand.has(label));
  const offered = typed.trim() === '' ? ofPage : [...commands, ...ofPage];
  return namedBy(offered, typed).slice(0, actionsShown).map(actionJump);
}

function actionJump(action: JumpCommand | PageAction): Jump {
  const isCommand = action.kind === 'command';
  return {
    key: `action ${action.label}`,
    run: action.run,
    content: (
      <>
        <VendorMark of={isCommand ? action.mark : 'configuration'} size={20} />
        <span className={styles['action']}>{action.label}</span>
        {isCommand && action.key !== undefined ? (
          <kbd className={styles['key']}>{action.key}</kbd>
        ) : null}
        {!isCommand && action.note !== undefined ? (
          <span className={styles['list']}>{action.note}</span>
        ) : null}
        <span className={styles['list']}>{isCommand ? 'Command' : 'This page'}</span>
      </>
    ),
  };
}

interface FoundRecords {
  readonly records: readonly Jump[];
  readonly searching: boolean;
  readonly error: Error | null;
}

/** Records that the typed words lead to, once the typing pauses or Enter is pressed. */
function useRecordJumps(typed: string, entered: boolean, go: Go): FoundRecords {
  const words = typed.trim();
  const paused = useDebouncedValue(useDeferredValue(words), typingRests);
  const identifier = entered ? words : paused;
  const found = useQuery({
    queryKey: queryKeys.identifiers.records(identifier),
    queryFn: ({ signal }) => callApi(identifierRecordsEndpoint, { params: { identifier }, signal }),
    enabled: identifier.length >= 3 && identifier.length <= 255,
  });
  return {
    records: identifier === words ? recordJumps(identifier, found.data?.lists ?? [], go) : [],
    searching: words.length >= 3 && (words !== identifier || found.isFetching),
    error: found.error,
  };
}

type Lists = Awaited<ReturnType<typeof callApi<typeof identifierRecordsEndpoint>>>['lists'];

/** The page of the identifier first when several records name it. */
function recordJumps(identifier: string, lists: Lists, go: Go): readonly Jump[] {
  const total = lists.reduce((sum, { totalCount }) => sum + totalCount, 0);
  const records = lists.flatMap(({ list: key, records: found }) => {
    const list = listOfKey(key as ListKey);
    return found.slice(0, recordsOfList).map(
      (record): Jump => ({
        key: `${key} ${record.id}`,
        run: () => go(recordPath(list, record.id)),
        content: (
          <>
            <VendorMark of={list.key} size={20} />
            <span className={styles['identity']}>{record.identity}</span>
            <span className={styles['title']}>{record.title}</span>
            <span className={styles['list']}>{list.shortLabel}</span>
          </>
        ),
      }),
    );
  });
  if (total <= 1) return records;
  const all: Jump = {
    key: 'all',
    run: () => go(identifierPath(identifier)),
    content: (
      <>
        <Icon of={SearchOutlined} />
        <span className={styles['identity']}>{identifier}</span>
        <span className={styles['title']}>All {formatNumber(total)} records</span>
      </>
    ),
  };
  return [all, ...records];
}

/** Options of the command box for the typed text: screens, commands, actions of the open page, and records. */
import { SearchOutlined } from '@ant-design/icons-svg';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { parseTypedIdentifier } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { identifierRecordsEndpoint } from '@patch/contract/records/shared-identifier-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMay } from '../api/session.ts';
import { useThemeMode } from '../api/theme-mode.ts';
import { toast } from '../api/toast.ts';
import { useSources } from '../api/use-sources.ts';
import { looksLikeIdentifier } from '../list/criteria/typed-search.ts';
import { Exposure } from '../screens/identifier/exposure.tsx';
import { findSearchedSources } from '../screens/identifier/searched-sources.ts';
import { useSyncActions } from '../screens/sync/use-sync-actions.ts';
import { isCve } from '../values/is-cve.ts';
import { formatCount, formatNumber } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';
import { OptionList } from '../widgets/option-list.tsx';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import { useExposureJump } from './exposure-jump.tsx';
import { type Go, type Jump, renderFound } from './jump.tsx';
import {
  type FrameActions,
  filterByLabel,
  findScreens,
  type JumpCommand,
  listCommands,
} from './jump-commands.ts';
import styles from './jump-dialog.module.css';
import { listPageActions, type PageAction } from './page-actions.ts';
import { mainId } from './page-announcer.tsx';
import { useQueryJumps } from './query-jumps.tsx';

/** Limits the records of each list. The page of the identifier shows all. */
const maxRecordsPerList = 3;
const maxActions = 8;
const pauseMs = 200;

interface JumpOptionsProps {
  /** Prefix for the element ids of the options. */
  readonly id: string;
  readonly typed: string;
  readonly active: number;
  readonly isEnterPending: boolean;
  readonly frame: FrameActions;
  readonly onCount: (options: number) => void;
  readonly onRun: (action: () => void) => void;
  /** Called when Enter was pressed and nothing matches. */
  readonly onNoMatch: () => void;
}

export function JumpOptions(props: JumpOptionsProps) {
  const { id, typed, active, isEnterPending, frame, onCount, onRun, onNoMatch } = props;
  const go = useGo();
  const found = useRecordJumps(typed, isEnterPending, go);
  const { records, asked, exposed, searching: lookingUp, error } = found;
  const matches = useQueryJumps(asked, go);
  const searching = lookingUp || matches.searching;
  const isRead = asked === typed.trim();
  const jumps = [
    ...listScreenJumps(typed, go),
    ...useActionJumps(typed, frame, go),
    ...records,
    ...useExposureJump(exposed, go),
    ...(isRead ? matches.jumps : []),
  ];
  // The first option is active until the box knows the number of options.
  const index = Math.max(0, active);
  const chosen = jumps[index];

  useEffect(() => onCount(jumps.length), [jumps.length, onCount]);
  useEffect(() => {
    document.getElementById(`${id}${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const runChosen = useEffectEvent(() => {
    if (chosen !== undefined) onRun(chosen.run);
    else if (!searching) onNoMatch();
  });
  const isReady = isEnterPending && (chosen !== undefined || !searching);
  useEffect(() => {
    if (isReady) runChosen();
  }, [isReady]);

  return (
    <search>
      <TypedExposure typed={typed} onFollow={() => onRun(() => undefined)} />
      <OptionList
        id={id}
        label="Screens, commands and records"
        busy={searching}
        className={styles['jumps']}
        optionClassName={styles['jump']}
        options={jumps}
        active={index}
        getKey={({ key }) => key}
        renderContent={({ content }) => content}
        onChoose={({ run }) => onRun(run)}
      />
      <p className={styles['note']} aria-live="polite">
        {searching ? 'Looking…' : (error?.message ?? (jumps.length === 0 ? 'No matches.' : ''))}
      </p>
    </search>
  );
}

/** Shows for a CVE whether it concerns the reader. */
function TypedExposure({
  typed,
  onFollow,
}: {
  readonly typed: string;
  readonly onFollow: () => void;
}) {
  const identifier = useDebouncedValue(typed.trim().toUpperCase(), pauseMs);
  if (!isCve(identifier)) return null;
  return (
    <div className={styles['exposure']}>
      <Exposure cve={identifier} onFollow={onFollow} />
    </div>
  );
}

function useGo(): Go {
  const navigate = useNavigate();
  return (to, search = {}) => void navigate({ to, search: search as never });
}

function listScreenJumps(typed: string, go: Go): readonly Jump[] {
  return findScreens(typed).map(({ path, label, mark }) => ({
    key: path,
    run: () => go(path),
    content: (
      <>
        <VendorMark of={mark} size={20} /> {label}
      </>
    ),
  }));
}

/** Returns commands, then actions of the page. Without text, only actions of the page. */
function useActionJumps(typed: string, frame: FrameActions, go: Go): readonly Jump[] {
  const isAdmin = useMay('admin');
  const { data: sources = [] } = useSources();
  const { setMode } = useThemeMode();
  const { start } = useSyncActions();
  // The page does not change while the box is open.
  const [actionsOnPage] = useState(() => listPageActions(document.getElementById(mainId)));
  const commands = listCommands({
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
        // The mutation itself reports failures.
        () => undefined,
      );
    },
  });
  const isCommand = new Set(commands.map(({ label }) => label));
  const otherActions = actionsOnPage.filter(({ label }) => !isCommand.has(label));
  const candidates = typed.trim() === '' ? otherActions : [...commands, ...otherActions];
  return filterByLabel(candidates, typed).slice(0, maxActions).map(toActionJump);
}

function toActionJump(action: JumpCommand | PageAction): Jump {
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
  /** The text that was looked up. */
  readonly asked: string;
  /** The identifier of the records that were found; empty for other words. */
  readonly exposed: string;
  readonly searching: boolean;
  readonly error: Error | null;
}

/** Finds records for the text when typing pauses or Enter is pressed. */
function useRecordJumps(typed: string, isEnterPending: boolean, go: Go): FoundRecords {
  const words = typed.trim();
  const debounced = useDebouncedValue(useDeferredValue(words), pauseMs);
  const identifier = isEnterPending ? words : debounced;
  const lookUp = useQuery({
    queryKey: queryKeys.identifiers.records(identifier),
    queryFn: ({ signal }) => callApi(identifierRecordsEndpoint, { params: { identifier }, signal }),
    enabled: identifier.length >= 3 && identifier.length <= 255,
  });
  const { data: sources = [] } = useSources();
  const found = identifier === words ? lookUp.data : undefined;
  const isUnknown = found?.lists.length === 0 && isIdentifier(words);
  return {
    records: isUnknown
      ? [createUnknownJump(found.identifier, findSearchedSources(sources).length, go)]
      : listRecordJumps(identifier, found?.lists ?? [], go),
    asked: identifier,
    exposed: (found?.lists.length ?? 0) > 0 && isIdentifier(words) ? (found?.identifier ?? '') : '',
    searching: words.length >= 3 && (words !== identifier || lookUp.isFetching),
    error: lookUp.error,
  };
}

/** The server also accepts a KB with a blank. */
const isIdentifier = (words: string): boolean =>
  parseTypedIdentifier(words) !== null || looksLikeIdentifier(words);

/** Opens the page that says what was searched, which is an answer too. */
function createUnknownJump(identifier: string, searched: number, go: Go): Jump {
  return {
    key: 'unknown',
    run: () => go(identifierPath(identifier)),
    content: renderFound(
      <Icon of={SearchOutlined} />,
      identifier,
      `Nothing found${searched > 0 ? ` in ${formatCount(searched, ['source', 'sources'])}` : ''}`,
      'What was searched',
    ),
  };
}

type Lists = Awaited<ReturnType<typeof callApi<typeof identifierRecordsEndpoint>>>['lists'];

/** Puts the page of the identifier first when several records match. */
function listRecordJumps(identifier: string, lists: Lists, go: Go): readonly Jump[] {
  const total = lists.reduce((sum, { totalCount }) => sum + totalCount, 0);
  const records = lists.flatMap(({ list: key, records: found }) => {
    const list = getList(key as ListKey);
    return found.slice(0, maxRecordsPerList).map(
      (record): Jump => ({
        key: `${key} ${record.id}`,
        run: () => go(recordPath(list, record.id)),
        content: renderFound(
          <VendorMark of={list.key} size={20} />,
          record.identity,
          record.title,
          list.shortLabel,
        ),
      }),
    );
  });
  if (total <= 1) return records;
  const all: Jump = {
    key: 'all',
    run: () => go(identifierPath(identifier)),
    content: renderFound(
      <Icon of={SearchOutlined} />,
      identifier,
      `All ${formatNumber(total)} records`,
    ),
  };
  return [all, ...records];
}

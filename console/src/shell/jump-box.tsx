/** Ctrl-K: a box that takes any identifier (KB, CVE, bulletin, notice, uuid, package) or the name of a screen, and goes there. */

import { SearchOutlined } from '@ant-design/icons-svg';
import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import { identifierRecordsEndpoint } from '@patch/contract/shared-identifier-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Modal } from 'antd';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { isFocusLost } from '../widgets/focus.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';
import { OptionList } from '../widgets/option-list.tsx';
import { useActiveOption } from '../widgets/use-active-option.ts';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import styles from './jump-box.module.css';
import { jumpTargets } from './jump-targets.ts';

/** Of each list: the others stand on the identifier's own page. */
const recordsOfList = 3;
const typingRests = 200;

interface Jump {
  readonly key: string;
  readonly to: string;
  readonly content: ReactNode;
}

export function JumpBox({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // Asked while it is drawn first: the dialog takes the focus as soon as it is there.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && isFocusLost()) before.focus({ preventScroll: true });
    },
    [before],
  );
  return (
    <Modal
      open={open}
      onCancel={onClose}
      footer={null}
      closable={false}
      // Its name is read and not shown.
      title="Go to"
      classNames={{ header: 'visually-hidden' }}
      width={560}
      destroyOnHidden
      afterOpenChange={(opened) => opened && input.current?.focus()}
      style={{ top: 80 }}
    >
      <Jumps input={input} onClose={onClose} />
    </Modal>
  );
}

function Jumps({
  input,
  onClose,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const option = useActiveOption(0);
  const navigate = useNavigate();
  const id = useId();
  const { jumps, searching, error } = useJumps(typed);
  const chosen = Math.min(option.active, jumps.length - 1);

  useEffect(() => {
    document.getElementById(`${id}${option.active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, option.active]);

  function go(jump: Jump): void {
    onClose();
    void navigate({ to: jump.to, search: {} as never });
  }
  function onKeyDown(event: KeyboardEvent): void {
    const jump = jumps[chosen];
    if (option.moveBy(event, jumps.length)) return;
    if (event.key !== 'Enter' || jump === undefined || searching) return;
    event.preventDefault();
    go(jump);
  }
  return (
    <search className={styles['box']}>
      <div className={styles['line']}>
        <Icon of={SearchOutlined} />
        <input
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-label="Identifier or screen"
          aria-expanded={jumps.length > 0}
          aria-controls={`${id}list`}
          aria-activedescendant={chosen < 0 ? undefined : `${id}${chosen}`}
          placeholder="KB, CVE, bulletin, notice, uuid, package, or a screen"
          className={styles['input']}
          value={typed}
          maxLength={255}
          onChange={({ target }) => {
            setTyped(target.value);
            option.activate(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <OptionList
        id={id}
        label="Where to go"
        busy={searching}
        className={styles['jumps']}
        optionClassName={styles['jump']}
        options={jumps}
        active={chosen}
        keyOf={({ key }) => key}
        contentOf={({ content }) => content}
        onChoose={go}
      />
      <p className={styles['note']} aria-live="polite">
        {searching ? 'Looking…' : (error?.message ?? (jumps.length === 0 ? 'No matches.' : ''))}
      </p>
    </search>
  );
}

interface FoundJumps {
  readonly jumps: readonly Jump[];
  readonly searching: boolean;
  readonly error: Error | null;
}

/** Screens and records that the typed words lead to; records once the typing pauses. */
function useJumps(typed: string): FoundJumps {
  const words = typed.trim();
  const identifier = useDebouncedValue(useDeferredValue(words), typingRests);
  const found = useQuery({
    queryKey: queryKeys.identifiers.records(identifier),
    queryFn: ({ signal }) => callApi(identifierRecordsEndpoint, { params: { identifier }, signal }),
    enabled: identifier.length >= 3 && identifier.length <= 255,
  });
  const records = identifier === words ? recordJumps(identifier, found.data?.lists ?? []) : [];
  return {
    jumps: [...screenJumps(typed), ...records],
    searching: words.length >= 3 && (words !== identifier || found.isFetching),
    error: found.error,
  };
}

function screenJumps(typed: string): readonly Jump[] {
  return jumpTargets(typed).map(({ path, label, mark }) => ({
    key: path,
    to: path,
    content: (
      <>
        <VendorMark of={mark} size={20} /> {label}
      </>
    ),
  }));
}

type Lists = Awaited<ReturnType<typeof callApi<typeof identifierRecordsEndpoint>>>['lists'];

/** The page of the identifier first when several records name it. */
function recordJumps(identifier: string, lists: Lists): readonly Jump[] {
  const total = lists.reduce((sum, { totalCount }) => sum + totalCount, 0);
  const records = lists.flatMap(({ list: key, records: found }) => {
    const list = listOfKey(key as ListKey);
    return found.slice(0, recordsOfList).map(
      (record): Jump => ({
        key: `${key} ${record.id}`,
        to: recordPath(list, record.id),
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
    to: identifierPath(identifier),
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

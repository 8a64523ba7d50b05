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
  readonly input: React.RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const identifier = useDebouncedValue(useDeferredValue(typed.trim()), typingRests);
  const found = useQuery({
    queryKey: queryKeys.identifiers.records(identifier),
    queryFn: ({ signal }) => callApi(identifierRecordsEndpoint, { params: { identifier }, signal }),
    enabled: identifier.length >= 3 && identifier.length <= 255,
  });
  const searching = typed.trim().length >= 3 && (typed.trim() !== identifier || found.isFetching);
  const jumps = [
    ...screenJumps(typed),
    ...(identifier === typed.trim() ? recordJumps(identifier, found.data?.lists ?? []) : []),
  ];
  const chosen = jumps[Math.min(active, jumps.length - 1)];

  useEffect(() => {
    document.getElementById(`${id}${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  function go(jump: Jump): void {
    onClose();
    void navigate({ to: jump.to, search: {} as never });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((place) => Math.max(0, Math.min(place + step, jumps.length - 1)));
    } else if (event.key === 'Enter' && chosen !== undefined && !searching) {
      event.preventDefault();
      go(chosen);
    }
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
          aria-activedescendant={chosen === undefined ? undefined : `${id}${jumps.indexOf(chosen)}`}
          placeholder="KB, CVE, bulletin, notice, uuid, package, or a screen"
          className={styles['input']}
          value={typed}
          maxLength={255}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={`${id}list`}
        role="listbox"
        aria-label="Where to go"
        aria-busy={searching}
        className={styles['jumps']}
      >
        {jumps.map((jump, place) => (
          <div
            key={jump.key}
            id={`${id}${place}`}
            role="option"
            aria-selected={jump === chosen}
            className={styles['jump']}
            onClick={() => go(jump)}
          >
            {jump.content}
          </div>
        ))}
      </div>
      <p className={styles['note']} aria-live="polite">
        {searching
          ? 'Looking…'
          : found.error !== null
            ? found.error.message
            : jumps.length === 0
              ? 'No matches.'
              : ''}
      </p>
    </search>
  );
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

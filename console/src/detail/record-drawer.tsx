/** Drawer with a record beside its list. The list stays usable while the drawer is open. */

import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { Link } from '@tanstack/react-router';
import { Drawer } from 'antd';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useNarrow } from '../theme/media-query.ts';
import { durations, sizes } from '../theme/tokens.ts';
import { Button } from '../widgets/button.tsx';
import { isFocusLost } from '../widgets/focus.ts';
import { Icon } from '../widgets/icon.tsx';
import { recordPath } from '../widgets/list-paths.ts';
import { RecordCard } from './record-card.tsx';
import { RecordContent, RecordFailure, RecordSkeleton } from './record-content.tsx';
import styles from './record-drawer.module.css';
import { useRecord } from './use-record.ts';

interface RecordDrawerProps {
  readonly list: ListDefinition;
  /** Undefined while the drawer is closed. */
  readonly id: number | undefined;
  /** Rows of the page in order, for the buttons Previous and Next. */
  readonly rows: readonly WireRow[];
  /** Returns the record of another list that a row stands for in a list that combines others, else null. */
  readonly findOwn: (
    list: ListDefinition,
    row: WireRow,
  ) => { readonly list: ListDefinition; readonly id: number } | null;
  readonly onOpen: (id: number) => void;
  readonly onClose: () => void;
  /** Called with the shown record to return the focus to it, unless another element has the focus. */
  readonly onClosed: (id: number) => void;
}

export function RecordDrawer(props: RecordDrawerProps) {
  const { list, id, rows, findOwn, onClose } = props;
  const narrow = useNarrow();
  const titleId = useId();
  const close = useRef<HTMLButtonElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const shownId = useShownRecord(props, body);
  const row = rows.find((candidate) => candidate.id === shownId);
  const own = row === undefined ? null : findOwn(list, row);
  return (
    <Drawer
      open={id !== undefined}
      size={narrow ? '100%' : sizes.drawer}
      mask={false}
      closable={false}
      focusable={{ trap: false, focusTriggerAfterClose: false }}
      onClose={onClose}
      aria-labelledby={titleId}
      // The list beside it stays usable.
      aria-modal={false}
      afterOpenChange={(opened) => {
        if (opened) close.current?.focus();
      }}
      styles={{ header: { display: 'none' }, wrapper: narrow ? { minWidth: 0 } : {} }}
    >
      <div ref={body} className="grid gap-5">
        <DrawerBar {...props} shownId={shownId} close={close} />
        <DrawerContent {...(own ?? { list, id: shownId })} findOwn={findOwn} titleId={titleId} />
      </div>
    </Drawer>
  );
}

/** Returns the shown record, which stays during the closing animation. Calls `onClosed` afterwards. */
function useShownRecord(
  { id, onClosed }: RecordDrawerProps,
  body: RefObject<HTMLElement | null>,
): number | undefined {
  const [lastId, setLastId] = useState(id);
  if (id !== undefined && id !== lastId) setLastId(id);
  const isOpen = id !== undefined;
  useHiddenLater(isOpen, () => setLastId(undefined));
  const shownId = id ?? lastId;

  const notifyClosed = useEffectEvent(() => {
    if (lastId !== undefined && isFocusLost(body.current?.closest('[role=dialog]') ?? null))
      onClosed(lastId);
  });
  useEffect(() => {
    if (!isOpen) notifyClosed();
  }, [isOpen]);
  useEffect(() => {
    if (shownId !== undefined) body.current?.scrollIntoView({ block: 'start' });
  }, [shownId, body]);
  return shownId;
}

interface DrawerBarProps extends RecordDrawerProps {
  readonly shownId: number | undefined;
  readonly close: RefObject<HTMLButtonElement | null>;
}

/** Position of the record on the page, with the buttons Previous, Next and Close. */
function DrawerBar({ list, rows, shownId, close, onOpen, onClose }: DrawerBarProps) {
  const ids = rows.map(({ id }) => id);
  const index = shownId === undefined ? -1 : ids.indexOf(shownId);
  const [previous, next] = index < 0 ? [] : [ids[index - 1], ids[index + 1]];
  return (
    <div className={`${styles['bar']} flex items-center gap-1 py-2 px-5 border-b`}>
      <span className="mr-auto text-quiet text-small figures">
        {index < 0 ? list.label : `${index + 1} of ${ids.length} on this page`}
      </span>
      <Step label="Previous record" icon={<Icon of={UpOutlined} />} to={previous} onOpen={onOpen} />
      <Step label="Next record" icon={<Icon of={DownOutlined} />} to={next} onOpen={onOpen} />
      <Button
        ref={close}
        look="quiet"
        small
        icon={<Icon of={CloseOutlined} />}
        aria-label="Close"
        title="Close (Esc)"
        onClick={onClose}
      />
    </div>
  );
}

interface DrawerContentProps extends Pick<RecordDrawerProps, 'list' | 'id' | 'findOwn'> {
  readonly titleId: string;
}

function DrawerContent({ list, id, findOwn, titleId }: DrawerContentProps) {
  const { data: record, error, refetch } = useRecord(list, id);
  if (error !== null)
    return (
      <div id={titleId}>
        <RecordFailure list={list} failure={error} onReload={() => void refetch()} />
      </div>
    );
  if (record === undefined || id === undefined)
    return (
      <div id={titleId}>
        <RecordSkeleton />
      </div>
    );
  // A row that is not on the page is known only now.
  const own = findOwn(list, record as WireRow);
  if (own !== null) return <DrawerContent {...own} findOwn={findOwn} titleId={titleId} />;
  return (
    <>
      <RecordCard
        list={list}
        record={record}
        heading={{ Tag: 'h2', id: titleId }}
        actions={<Link to={recordPath(list, id)}>Open as page</Link>}
      />
      <RecordContent list={list} record={record} tableHeading="h3" />
    </>
  );
}

interface StepProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly to: number | undefined;
  readonly onOpen: (id: number) => void;
}

function Step({ label, icon, to, onOpen }: StepProps) {
  return (
    <Button
      look="quiet"
      small
      icon={icon}
      aria-label={label}
      title={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
    />
  );
}

/** Calls `onHidden` 500 ms after a drawer is closed, once its animation has ended, unless it is reopened before. */
export function useHiddenLater(open: boolean, onHidden: () => void): void {
  const hidden = useEffectEvent(onHidden);
  useEffect(() => {
    if (open) return undefined;
    const timer = setTimeout(() => hidden(), durations.drawerHides);
    return () => clearTimeout(timer);
  }, [open]);
}

/**
 * Shows toasts: successes in the middle, notices and failures at the right, for 3 seconds. Failures stay for 10 seconds and show
 * their request id. Progress stays until it is dismissed by its caller.
 */
import {
  CheckCircleFilled,
  CloseCircleFilled,
  CloseOutlined,
  LoadingOutlined,
} from '@ant-design/icons-svg';
import type { IconDefinition } from '@ant-design/icons-svg/es/types.js';
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import {
  clearToasts,
  currentToasts,
  dismissToast,
  getPositionKinds,
  subscribeToToasts,
  type Toast,
  type ToastKind,
  toastKindsByPosition,
} from '../api/toast.ts';
import { durations, sizes } from '../theme/tokens.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import styles from './toast-host.module.css';

/** Mounted once, around everything. Unmounting clears all toasts. */
export function ToastHost() {
  const shown = useSyncExternalStore(subscribeToToasts, currentToasts);
  useEffect(() => clearToasts, []);
  const middle = useRef<HTMLDivElement>(null);
  const right = useRef<HTMLDivElement>(null);
  usePositions([middle, right], shown);
  const renderMessages = (kinds: readonly ToastKind[]) =>
    shown
      .filter(({ kind }) => kinds.includes(kind))
      .map((content) => <Message key={content.id} {...content} />);
  const top = { top: sizes.toastTop };
  return (
    <>
      <div ref={middle} className={styles['middle']} style={top} role="status">
        {renderMessages(toastKindsByPosition.middle)}
      </div>
      <div ref={right} className={styles['right']} style={top}>
        {renderMessages(toastKindsByPosition.right)}
      </div>
    </>
  );
}

/** Positions the toasts again when one appears or disappears and when the window is resized. */
function usePositions(
  hosts: readonly RefObject<HTMLElement | null>[],
  shown: readonly Toast[],
): void {
  const position = useEffectEvent(() => {
    positionToasts(
      hosts.flatMap(({ current }) => current ?? []),
      sizes.toastTop,
    );
  });
  useLayoutEffect(() => {
    if (shown.length === 0) return undefined;
    position();
    const onResize = () => position();
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, [shown]);
}

/** Without a lifetime, the caller dismisses the toast. */
const looks: Readonly<Record<ToastKind, { drawing: IconDefinition; lifetimeMs?: number }>> = {
  success: { drawing: CheckCircleFilled, lifetimeMs: durations.toast },
  loading: { drawing: LoadingOutlined },
  notice: { drawing: CheckCircleFilled, lifetimeMs: durations.toast },
  error: { drawing: CloseCircleFilled, lifetimeMs: durations.errorToast },
};

function Message({ id, kind, title, description, requestId }: Toast) {
  const [isHovered, setIsHovered] = useState(false);
  const { drawing, lifetimeMs } = looks[kind];
  useEffect(() => {
    if (isHovered || lifetimeMs === undefined) return undefined;
    const timer = setTimeout(() => dismissToast(id), lifetimeMs);
    return () => clearTimeout(timer);
  }, [id, lifetimeMs, isHovered]);
  const large = getPositionKinds(kind) === toastKindsByPosition.right;
  return (
    <div
      className={styles['message']}
      data-kind={kind}
      {...(large && { role: kind === 'error' ? 'alert' : 'status' })}
      // Stays while the pointer is over it.
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
    >
      <Icon of={drawing} spin={kind === 'loading'} />
      <div className={styles['words']}>
        <p className={large ? styles['title'] : ''}>{title}</p>
        {description === undefined ? null : <p>{description}</p>}
        {requestId ? (
          <p className={styles['request']}>
            Request <code>{requestId}</code> <CopyButton text={requestId} what="request id" />
          </p>
        ) : null}
      </div>
      {large ? (
        <button
          type="button"
          className={styles['dismiss']}
          aria-label="Dismiss"
          onClick={() => dismissToast(id)}
        >
          <Icon of={CloseOutlined} />
        </button>
      ) : null}
    </div>
  );
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const gap = 4;

/**
 * Returns the first top, from `from` down, at which the box overlaps no other box and ends above `to`; `from` itself when
 * nothing fits. All values are pixels of the window.
 */
export function findFreeTop(
  { left, right, top, bottom }: Box,
  boxes: readonly Box[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const height = bottom - top;
  const column = boxes.filter((box) => box.right > left && box.left < right);
  const tops = [from, ...column.map((box) => box.bottom + gap)]
    .filter((candidate) => candidate >= from && candidate + height <= to)
    .toSorted((a, b) => a - b);
  const isFree = (candidate: number) =>
    column.every((box) => box.bottom + gap <= candidate || box.top - gap >= candidate + height);
  return tops.find(isFree) ?? from;
}

const actions =
  'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=switch]';
/** Actions in rows may be covered, because rows fill most pages. */
const inRows = '[data-row], tbody';

/** Positions the toasts of each host so that they cover no visible action of the page. */
function positionToasts(hosts: readonly HTMLElement[], from: number): void {
  const occupied: Box[] = Array.from(document.querySelectorAll<HTMLElement>(actions)).flatMap(
    (action) => {
      const bounds = action.getBoundingClientRect();
      const isAction = bounds.width > 0 && action.closest(inRows) === null;
      return isAction && isOnTop(action, bounds, hosts) ? [bounds] : [];
    },
  );
  for (const host of hosts) {
    host.style.top = `${from}px`;
    const box = host.getBoundingClientRect();
    if (box.height === 0) continue;
    const top = findFreeTop(box, occupied, { from, to: innerHeight });
    host.style.top = `${top}px`;
    occupied.push({ left: box.left, right: box.right, top, bottom: top + box.height });
  }
}

/** False for actions below a dialog, outside the window or in a toast. */
function isOnTop(action: HTMLElement, bounds: DOMRect, hosts: readonly HTMLElement[]): boolean {
  const isMessage = (element: Element) => hosts.some((host) => host.contains(element));
  if (isMessage(action)) return false;
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  const top = document.elementsFromPoint(x, y).find((element) => !isMessage(element));
  return top !== undefined && (action.contains(top) || top.contains(action));
}

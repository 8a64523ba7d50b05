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
import {
  type ReactNode,
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
import { positionToasts } from './toast-position.ts';

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

const lifetimesMs: Readonly<Record<ToastKind, number>> = {
  success: durations.toast,
  loading: Number.POSITIVE_INFINITY,
  notice: durations.toast,
  error: durations.errorToast,
};

const drawings: Readonly<Record<ToastKind, ReactNode>> = {
  success: <Icon of={CheckCircleFilled} />,
  loading: <Icon of={LoadingOutlined} spin />,
  notice: <Icon of={CheckCircleFilled} />,
  error: <Icon of={CloseCircleFilled} />,
};

function Message({ id, kind, title, description, requestId }: Toast) {
  const [isHovered, setIsHovered] = useState(false);
  useEffect(() => {
    if (isHovered || !Number.isFinite(lifetimesMs[kind])) return undefined;
    const timer = setTimeout(() => dismissToast(id), lifetimesMs[kind]);
    return () => clearTimeout(timer);
  }, [id, kind, isHovered]);
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
      {drawings[kind]}
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

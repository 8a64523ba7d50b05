/**
 * Short messages over the page: what was done, in the middle for 3 seconds; notices and failures at the right. A failure stays
 * 10 seconds, or until it is dismissed, and names its request. What is still at work stays until it is done.
 */
import {
  CheckCircleFilled,
  CloseCircleFilled,
  CloseOutlined,
  LoadingOutlined,
} from '@ant-design/icons-svg';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import {
  clearToasts,
  currentToasts,
  dismissToast,
  placeOf,
  subscribeToToasts,
  type Toast,
  type ToastKind,
  toastPlaces,
} from '../api/toast.ts';
import { durations, sizes } from '../theme/tokens.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import styles from './toast-host.module.css';

/** Mounted once, around everything. Messages of a page that is gone go with it. */
export function ToastHost() {
  const shown = useSyncExternalStore(subscribeToToasts, currentToasts);
  useEffect(() => clearToasts, []);
  const inPlace = (kinds: readonly ToastKind[]) =>
    shown
      .filter(({ kind }) => kinds.includes(kind))
      .map((one) => <Message key={one.id} {...one} />);
  const top = { top: sizes.toastTop };
  return (
    <>
      <div className={styles['middle']} style={top} role="status">
        {inPlace(toastPlaces.middle)}
      </div>
      <div className={styles['right']} style={top}>
        {inPlace(toastPlaces.right)}
      </div>
    </>
  );
}

const staysFor: Readonly<Record<ToastKind, number>> = {
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
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || !Number.isFinite(staysFor[kind])) return undefined;
    const timer = setTimeout(() => dismissToast(id), staysFor[kind]);
    return () => clearTimeout(timer);
  }, [id, kind, held]);
  const large = placeOf(kind) === toastPlaces.right;
  return (
    <div
      className={styles['message']}
      data-kind={kind}
      {...(large && { role: kind === 'error' ? 'alert' : 'status' })}
      // It does not leave while it is being read.
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
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

/** Short messages over the page. A success leaves after 3 seconds; a failure stays 10, or until it is dismissed, and names its request. */
import { message, notification } from 'antd';
import { useEffect } from 'react';
import { CallCancelled, CallFailed } from '../api/call-failed.ts';
import { durations, sizes } from '../theme/tokens.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './toast.module.css';

type Show = (
  kind: 'success' | 'error',
  title: string,
  more?: { readonly description?: string; readonly requestId?: string | null },
) => void;

let show: Show = () => {};

export const toast = {
  success(words = 'The Operation has been completed.'): void {
    show('success', words);
  },
  error(title: string, description?: string): void {
    show('error', title, description === undefined ? {} : { description });
  },
  /** What a call or anything else threw. A cancelled call and a refused session say nothing here. */
  failure(failure: unknown, title?: string): void {
    if (failure instanceof CallCancelled) return;
    if (failure instanceof CallFailed) {
      const { status, userMessage, requestId } = failure;
      if (status !== 401) show('error', title ?? userMessage, { requestId, ...(title === undefined ? {} : { description: userMessage }) });
      return;
    }
    show('error', 'Something went wrong on this page.', { description: failure instanceof Error ? failure.message : String(failure) });
  },
};

/** Mounted once, below the theme. */
export function ToastHost() {
  const [messages, messageHolder] = message.useMessage({ top: sizes.toastTop, maxCount: sizes.toastsAtOnce });
  const [notices, noticeHolder] = notification.useNotification({
    top: sizes.toastTop,
    placement: 'topRight',
    maxCount: sizes.toastsAtOnce,
    pauseOnHover: true,
  });
  useEffect(() => {
    show = (kind, title, { description, requestId } = {}) => {
      if (kind === 'success') void messages.success(title, durations.toast / 1000);
      else
        notices.error({
          title,
          description: <FailureWords description={description} requestId={requestId} />,
          duration: durations.errorToast / 1000,
          role: 'alert',
        });
    };
    return () => {
      show = () => {};
    };
  }, [messages, notices]);
  return (
    <>
      {messageHolder}
      {noticeHolder}
    </>
  );
}

function FailureWords({
  description,
  requestId,
}: {
  readonly description?: string | undefined;
  readonly requestId?: string | null | undefined;
}) {
  return (
    <>
      {description}
      {requestId ? (
        <p className={styles['request']}>
          Request <code>{requestId}</code> <CopyButton text={requestId} what="request id" />
        </p>
      ) : null}
    </>
  );
}

/**
 * Short messages over the page: what was done, in the middle for 3 seconds; notices and failures at the right. A failure stays
 * 10 seconds, or until it is dismissed, and names its request. What is still at work stays until it is done.
 */
import { CheckCircleFilled, CloseCircleFilled, CloseOutlined, LoadingOutlined } from '@ant-design/icons-svg';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiCallCancelled, ApiCallError } from '../api/api-call-error.ts';
import { durations, sizes } from '../theme/tokens.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

interface Told {
  readonly kind: 'success' | 'loading' | 'notice' | 'error';
  readonly title: string;
  readonly description?: string | undefined;
  readonly requestId?: string | null;
}

interface Shown extends Told {
  readonly id: number;
}

const places = { middle: ['success', 'loading'], right: ['notice', 'error'] } as const satisfies Record<string, readonly Told['kind'][]>;
const placeOf = (kind: Told['kind']) =>
  (kind === 'success' || kind === 'loading' ? places.middle : places.right) as readonly Told['kind'][];

let all: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Shown[]): void {
  all = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(all.filter((one) => one.id !== id));

/** More than three in one place: the oldest goes. */
function show(told: Told): () => void {
  const id = ++lastId;
  const beside = all.filter(({ kind }) => placeOf(kind) === placeOf(told.kind));
  const gone = new Set(beside.slice(0, Math.max(0, beside.length + 1 - sizes.toastsAtOnce)).map((one) => one.id));
  set([...all.filter((one) => !gone.has(one.id)), { ...told, id }]);
  return () => dismiss(id);
}

export const toast = {
  success(words = 'The Operation has been completed.'): void {
    show({ kind: 'success', title: words });
  },
  /** Answers how it is taken away. */
  loading(words: string): () => void {
    return show({ kind: 'loading', title: words });
  },
  /** What was done, larger: in the place of `success` where it needs a second sentence. */
  notice(title: string, description?: string): void {
    show({ kind: 'notice', title, description });
  },
  /** Answers how it is taken away. */
  error(title: string, description?: string): () => void {
    return show({ kind: 'error', title, description });
  },
  /** What a call or anything else threw. A cancelled call and a refused session say nothing here. */
  failure(failure: unknown, title?: string): void {
    if (failure instanceof ApiCallCancelled) return;
    if (failure instanceof ApiCallError) {
      const { status, userMessage, requestId } = failure;
      if (status !== 401)
        show({ kind: 'error', title: title ?? userMessage, requestId, description: title === undefined ? undefined : userMessage });
      return;
    }
    const description = failure instanceof Error ? failure.message : String(failure);
    show({ kind: 'error', title: 'Something went wrong on this page.', description });
  },
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Mounted once, around everything. Messages of a page that is gone go with it. */
export function ToastHost() {
  const shown = useSyncExternalStore(subscribe, () => all);
  useEffect(() => () => set([]), []);
  const inPlace = (kinds: readonly Told['kind'][]) =>
    shown.filter(({ kind }) => kinds.includes(kind)).map((one) => <Message key={one.id} {...one} />);
  const top = { top: sizes.toastTop };
  return (
    <>
      <div className={styles['middle']} style={top} role="status">
        {inPlace(places.middle)}
      </div>
      <div className={styles['right']} style={top}>
        {inPlace(places.right)}
      </div>
    </>
  );
}

const staysFor: Readonly<Record<Told['kind'], number>> = {
  success: durations.toast,
  loading: Number.POSITIVE_INFINITY,
  notice: durations.toast,
  error: durations.errorToast,
};

const drawings: Readonly<Record<Told['kind'], ReactNode>> = {
  success: <Icon of={CheckCircleFilled} />,
  loading: <Icon of={LoadingOutlined} spin />,
  notice: <Icon of={CheckCircleFilled} />,
  error: <Icon of={CloseCircleFilled} />,
};

function Message({ id, kind, title, description, requestId }: Shown) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || !Number.isFinite(staysFor[kind])) return undefined;
    const timer = setTimeout(() => dismiss(id), staysFor[kind]);
    return () => clearTimeout(timer);
  }, [id, kind, held]);
  const large = placeOf(kind) === places.right;
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
        <button type="button" className={styles['dismiss']} aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Icon of={CloseOutlined} />
        </button>
      ) : null}
    </div>
  );
}

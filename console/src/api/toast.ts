/** Store of toasts, which code outside React can write to. `widgets/toast-host.tsx` shows them. */
import { sizes } from '../theme/tokens.ts';
import { ApiCallCancelled, ApiCallError } from './api-call-error.ts';

export type ToastKind = 'success' | 'loading' | 'notice' | 'error';

interface ToastContent {
  readonly kind: ToastKind;
  readonly title: string;
  readonly description?: string | undefined;
  readonly requestId?: string | null;
}

export interface Toast extends ToastContent {
  readonly id: number;
}

export const toastKindsByPosition = {
  middle: ['success', 'loading'],
  right: ['notice', 'error'],
} as const satisfies Record<string, readonly ToastKind[]>;
export const getPositionKinds = (kind: ToastKind) =>
  (kind === 'success' || kind === 'loading'
    ? toastKindsByPosition.middle
    : toastKindsByPosition.right) as readonly ToastKind[];

let all: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  all = next;
  for (const listener of listeners) listener();
}

export const dismissToast = (id: number): void => set(all.filter((shown) => shown.id !== id));

/** Removes the oldest toast of a position that is full. */
function show(content: ToastContent): () => void {
  const id = ++lastId;
  const beside = all.filter(
    ({ kind }) => getPositionKinds(kind) === getPositionKinds(content.kind),
  );
  const removed = new Set(
    beside.slice(0, Math.max(0, beside.length + 1 - sizes.toastsAtOnce)).map((old) => old.id),
  );
  set([...all.filter((old) => !removed.has(old.id)), { ...content, id }]);
  return () => dismissToast(id);
}

export const toast = {
  success(title = 'The Operation has been completed.'): void {
    show({ kind: 'success', title });
  },
  /** @returns A function that dismisses the toast. */
  loading(title: string): () => void {
    return show({ kind: 'loading', title });
  },
  /** Reports a success that needs a second sentence. */
  notice(title: string, description?: string): void {
    show({ kind: 'notice', title, description });
  },
  /** @returns A function that dismisses the toast. */
  error(title: string, description?: string): () => void {
    return show({ kind: 'error', title, description });
  },
  /** Shows a thrown error. Cancelled calls and 401 replies show nothing. */
  failure(failure: unknown, title?: string): void {
    if (failure instanceof ApiCallCancelled) return;
    if (failure instanceof ApiCallError) {
      const { status, userMessage, requestId } = failure;
      if (status !== 401)
        show({
          kind: 'error',
          title: title ?? userMessage,
          requestId,
          description: title === undefined ? undefined : userMessage,
        });
      return;
    }
    const description = failure instanceof Error ? failure.message : String(failure);
    show({ kind: 'error', title: 'Something went wrong on this page.', description });
  },
};

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentToasts = (): readonly Toast[] => all;

export const clearToasts = (): void => set([]);

/** The short messages over the page, as a store that code outside React can write to. `widgets/toast-host.tsx` shows them. */
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

export const toastPlaces = {
  middle: ['success', 'loading'],
  right: ['notice', 'error'],
} as const satisfies Record<string, readonly ToastKind[]>;
export const placeOf = (kind: ToastKind) =>
  (kind === 'success' || kind === 'loading'
    ? toastPlaces.middle
    : toastPlaces.right) as readonly ToastKind[];

let all: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  all = next;
  for (const listener of listeners) listener();
}

export const dismissToast = (id: number): void => set(all.filter((one) => one.id !== id));

/** More than three in one place: the oldest goes. */
function show(content: ToastContent): () => void {
  const id = ++lastId;
  const beside = all.filter(({ kind }) => placeOf(kind) === placeOf(content.kind));
  const gone = new Set(
    beside.slice(0, Math.max(0, beside.length + 1 - sizes.toastsAtOnce)).map((one) => one.id),
  );
  set([...all.filter((one) => !gone.has(one.id)), { ...content, id }]);
  return () => dismissToast(id);
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

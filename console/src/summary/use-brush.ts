/** Selects one or more adjacent buckets of a histogram by dragging, or with arrows, Shift and Enter. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

/** Indexes of buckets, inclusive. */
export interface BucketRange {
  readonly first: number;
  readonly last: number;
}

interface Brush {
  /** Range under the pointer or the keyboard cursor; undefined without either. */
  readonly range: BucketRange | undefined;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave: () => void;
  readonly onPointerCancel: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
}

interface BrushState {
  readonly cursor: number;
  /** Other end of the range; undefined for a single bucket. */
  readonly anchor?: number | undefined;
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -12,
  PageUp: 12,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function useBrush(count: number, onChoose: (range: BucketRange) => void): Brush {
  const [state, setState] = useState<BrushState>();
  const dragged = useRef(false);
  const range = toRange(state, count);
  const clear = () => {
    dragged.current = false;
    setState(undefined);
  };
  function choose(): void {
    if (range === undefined) return;
    clear();
    onChoose(range);
  }
  return {
    range,
    onPointerDown(event) {
      if (event.button !== 0) return;
      const cursor = findBucketIndex(event, count);
      event.currentTarget.setPointerCapture?.(event.pointerId);
      dragged.current = true;
      setState({ cursor, anchor: cursor });
    },
    onPointerMove(event) {
      const cursor = findBucketIndex(event, count);
      setState((before) => ({ cursor, anchor: dragged.current ? before?.anchor : undefined }));
    },
    onPointerUp({ pointerType }) {
      if (!dragged.current) return;
      dragged.current = false;
      // A finger is wider than a bar, so a tap only shows the values.
      if (pointerType === 'touch' && range?.first === range?.last) return;
      choose();
    },
    onPointerLeave() {
      if (!dragged.current) clear();
    },
    onPointerCancel: clear,
    onKeyDown(event) {
      if (event.key === 'Enter') choose();
      else if (event.key === 'Escape' && state !== undefined) clear();
      else if (event.key in keySteps && !event.ctrlKey && !event.metaKey && !event.altKey)
        setState(
          moveCursor(state, { step: keySteps[event.key] ?? 0, extend: event.shiftKey, count }),
        );
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onBlur: clear,
  };
}

/** The first key puts the cursor on the newest bucket. `extend` keeps the other end of the range. */
function moveCursor(
  state: BrushState | undefined,
  {
    step,
    extend,
    count,
  }: { readonly step: number; readonly extend: boolean; readonly count: number },
): BrushState {
  const last = count - 1;
  if (state === undefined) return { cursor: step === Number.NEGATIVE_INFINITY ? 0 : last };
  const from = Math.min(state.cursor, last);
  const cursor = Math.max(0, Math.min(last, from + step));
  return { cursor, anchor: extend ? (state.anchor ?? from) : undefined };
}

/** Limits the range to the buckets, whose number may have decreased. */
function toRange(state: BrushState | undefined, count: number): BucketRange | undefined {
  if (state === undefined || count === 0) return undefined;
  const ends = [state.cursor, state.anchor ?? state.cursor].map((end) => Math.min(end, count - 1));
  return { first: Math.min(...ends), last: Math.max(...ends) };
}

function findBucketIndex(
  { currentTarget, clientX }: PointerEvent<HTMLElement>,
  count: number,
): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = width === 0 ? 0 : (clientX - left) / width;
  return Math.max(0, Math.min(count - 1, Math.floor(share * count)));
}

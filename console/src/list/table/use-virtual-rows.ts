/** Virtualizes a long list. Heights are measured as rows are rendered; other rows count as the average. */
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { usePrinting } from '../../widgets/use-printing.ts';
import {
  buildItems,
  findRowsInView,
  getNextDrawn,
  type RowRange,
  toOffsets,
  type VirtualItem,
} from './virtual-range.ts';

interface RowSizes {
  /** Key of the layout, such as width and density. Another key invalidates the heights. */
  readonly shape: string;
  /** Height of a row in pixels before any is measured. */
  readonly estimate: number;
  /** Pixels between rows. */
  readonly gap: number;
}

interface VirtualRows<Container extends HTMLElement> {
  /** Ref of the parent of the rows, which have their id as `data-row`. */
  readonly container: RefObject<Container | null>;
  readonly items: readonly VirtualItem[];
}

/** Maximum number of rows without virtualization. */
const maxUnvirtualized = 100;

/** Tolerated difference in pixels. */
const heightTolerance = 0.5;

/** Measured heights. They outlive the screen, so that Back can restore the scroll position. */
const heights = new WeakMap<WireRow, { readonly shape: string; readonly height: number }>();

export function useVirtualRows<Container extends HTMLElement>(
  rows: readonly WireRow[],
  cursor: number,
  { shape, estimate, gap }: RowSizes,
): VirtualRows<Container> {
  const container = useRef<Container>(null);
  const printing = usePrinting();
  const [measurement, noteMeasurement] = useReducer((count: number) => count + 1, 0);
  const [drawn, setDrawn] = useState<RowRange>({ start: 0, end: 0 });
  const isVirtual = rows.length > maxUnvirtualized && !printing;

  const offsets = useMemo(
    () => (isVirtual ? toOffsets(getHeights(rows, { shape, estimate, gap })) : []),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `measurement` changes with the content of `heights`
    [rows, shape, estimate, gap, isVirtual, measurement],
  );
  const items = useMemo(
    () =>
      isVirtual
        ? buildItems(offsets, drawn, cursor)
        : Array.from(rows, (_, index) => ({ kind: 'row' as const, index })),
    [isVirtual, offsets, drawn, cursor, rows],
  );
  const updateDrawn = useEffectEvent(() => {
    const { current } = container;
    if (current === null) return;
    const next = getNextDrawn(drawn, findVisibleRows(current, offsets), rows.length);
    if (next.start !== drawn.start || next.end !== drawn.end) setDrawn(next);
  });
  useLayoutEffect(() => {
    if (isVirtual && container.current !== null)
      if (measureRows(container.current, rows, offsets, { shape, estimate, gap }))
        noteMeasurement();
  }, [isVirtual, items, rows, offsets, shape, estimate, gap]);
  useEffect(() => {
    if (!isVirtual) return undefined;
    // Continues with the next step after this one is painted.
    const next = requestAnimationFrame(() => updateDrawn());
    return () => cancelAnimationFrame(next);
  }, [isVirtual, items]);
  useEffect(() => {
    if (!isVirtual) return undefined;
    const mounted = new AbortController();
    const { signal } = mounted;
    document.addEventListener('scroll', () => updateDrawn(), {
      capture: true,
      passive: true,
      signal,
    });
    addEventListener('resize', () => updateDrawn(), { signal });
    return () => mounted.abort();
  }, [isVirtual]);

  return { container, items };
}

function getHeights(rows: readonly WireRow[], { shape, estimate, gap }: RowSizes): number[] {
  const known = rows.map((row) => {
    const measured = heights.get(row);
    return measured?.shape === shape ? measured.height : undefined;
  });
  const measured = known.filter((height) => height !== undefined);
  const sum = measured.reduce((total, height) => total + height, 0);
  const average = measured.length === 0 ? estimate + gap : sum / measured.length;
  return known.map((height) => height ?? average);
}

/** Measures the rendered rows. Returns true when a height differs from the offsets. */
function measureRows(
  container: HTMLElement,
  rows: readonly WireRow[],
  offsets: readonly number[],
  { shape, gap }: RowSizes,
): boolean {
  const indexById = new Map(rows.map(({ id }, index) => [String(id), index]));
  let differs = false;
  for (const element of container.querySelectorAll<HTMLElement>(':scope > [data-row]')) {
    const index = indexById.get(element.dataset['row'] ?? '');
    const row = index === undefined ? undefined : rows[index];
    const { offsetHeight } = element;
    if (index === undefined || row === undefined || offsetHeight === 0) continue;
    const height = offsetHeight + gap;
    heights.set(row, { shape, height });
    const assumed = (offsets[index + 1] ?? 0) - (offsets[index] ?? 0);
    differs ||= Math.abs(height - assumed) > heightTolerance;
  }
  return differs;
}

/** Supports lists that scroll in their own element or with the page. */
function findVisibleRows(container: HTMLElement, offsets: readonly number[]): RowRange {
  const { top } = container.getBoundingClientRect();
  const scroller = container.closest('[data-scroll-restoration-id]')?.getBoundingClientRect();
  const from = Math.max(0, scroller?.top ?? 0);
  const to = Math.min(innerHeight, scroller?.bottom ?? innerHeight);
  return findRowsInView(offsets, from - top, Math.max(from, to) - top);
}

/** Draws of a long list the rows around those in view. Heights are measured as rows are drawn; until then a row counts as the average of the others. */
import type { WireRow } from '@patch/contract/row-schema.ts';
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
import { flushSync } from 'react-dom';
import {
  nextDrawn,
  type RowRange,
  rowOffsets,
  rowsInView,
  type VirtualItem,
  virtualItems,
} from './virtual-range.ts';

interface RowSizes {
  /** Heights hold as long as this is the same: width and density of the list. */
  readonly shape: string;
  /** Of a row, in pixels, before one was measured. */
  readonly estimate: number;
  /** Between rows. */
  readonly gap: number;
}

interface VirtualRows<Container extends HTMLElement> {
  /** For the parent of the rows, each of which has its id as `data-row`. */
  readonly container: RefObject<Container | null>;
  readonly items: readonly VirtualItem[];
}

/** So many rows are drawn without further ado. */
const mostWhole = 100;

/** A difference that nobody sees, in pixels. */
const sameHeight = 0.5;

interface Measured {
  readonly shape: string;
  readonly height: number;
}
/** Outlives the screen, so that a list that is gone back to has its height at once and can be scrolled to where it was. */
const heights = new WeakMap<WireRow, Measured>();

export function useVirtualRows<Container extends HTMLElement>(
  rows: readonly WireRow[],
  cursor: number,
  { shape, estimate, gap }: RowSizes,
): VirtualRows<Container> {
  const container = useRef<Container>(null);
  const printing = usePrinting();
  const [measurement, remeasured] = useReducer((count: number) => count + 1, 0);
  const [drawn, setDrawn] = useState<RowRange>({ start: 0, end: 0 });
  const isVirtual = rows.length > mostWhole && !printing;

  const offsets = useMemo(
    () => (isVirtual ? rowOffsets(heightsOf(rows, { shape, estimate, gap })) : []),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `measurement` stands for what `heights` holds
    [rows, shape, estimate, gap, isVirtual, measurement],
  );
  const items = useMemo(
    () =>
      isVirtual
        ? virtualItems(offsets, drawn, cursor)
        : Array.from(rows, (_, index) => ({ kind: 'row' as const, index })),
    [isVirtual, offsets, drawn, cursor, rows],
  );
  const look = useEffectEvent(() => {
    const { current } = container;
    if (current === null) return;
    const next = nextDrawn(drawn, inViewOf(current, offsets), rows.length);
    if (next.start !== drawn.start || next.end !== drawn.end) setDrawn(next);
  });
  useLayoutEffect(() => {
    if (isVirtual && container.current !== null)
      if (measureRows(container.current, rows, offsets, { shape, estimate, gap })) remeasured();
  }, [isVirtual, items, rows, offsets, shape, estimate, gap]);
  useEffect(() => {
    if (!isVirtual) return undefined;
    // The next step when this one is on the screen.
    const next = requestAnimationFrame(() => look());
    return () => cancelAnimationFrame(next);
  }, [isVirtual, items]);
  useEffect(() => {
    if (!isVirtual) return undefined;
    const listener = () => look();
    const options = { capture: true, passive: true };
    document.addEventListener('scroll', listener, options);
    addEventListener('resize', listener);
    return () => {
      document.removeEventListener('scroll', listener, options);
      removeEventListener('resize', listener);
    };
  }, [isVirtual]);

  return { container, items };
}

function heightsOf(rows: readonly WireRow[], { shape, estimate, gap }: RowSizes): number[] {
  const known = rows.map((row) => {
    const measured = heights.get(row);
    return measured?.shape === shape ? measured.height : undefined;
  });
  const measured = known.filter((height) => height !== undefined);
  const usual =
    measured.length === 0
      ? estimate + gap
      : measured.reduce((sum, height) => sum + height, 0) / measured.length;
  return known.map((height) => height ?? usual);
}

/** Notes the heights of the rows that are drawn; whether one differs from what the offsets assume. */
function measureRows(
  container: HTMLElement,
  rows: readonly WireRow[],
  offsets: readonly number[],
  { shape, gap }: RowSizes,
): boolean {
  const placeOf = new Map(rows.map(({ id }, place) => [String(id), place]));
  let differs = false;
  for (const element of container.querySelectorAll<HTMLElement>(':scope > [data-row]')) {
    const place = placeOf.get(element.dataset['row'] ?? '');
    const row = place === undefined ? undefined : rows[place];
    const { offsetHeight } = element;
    if (place === undefined || row === undefined || offsetHeight === 0) continue;
    const height = offsetHeight + gap;
    heights.set(row, { shape, height });
    const assumed = (offsets[place + 1] ?? 0) - (offsets[place] ?? 0);
    differs ||= Math.abs(height - assumed) > sameHeight;
  }
  return differs;
}

/** A list scrolls in an element of its own, or with the page. */
function inViewOf(container: HTMLElement, offsets: readonly number[]): RowRange {
  const { top } = container.getBoundingClientRect();
  const scroller = container.closest('[data-scroll-restoration-id]')?.getBoundingClientRect();
  const from = Math.max(0, scroller?.top ?? 0);
  const to = Math.min(innerHeight, scroller?.bottom ?? innerHeight);
  return rowsInView(offsets, from - top, Math.max(from, to) - top);
}

/** A print has all of the rows. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes the page as it is when the listener returns.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

/**
 * The last 90 days of a source's publications, a cell a day. Height and colour show the amount, a line an empty day,
 * a mark a quarantine that waits for a decision. Pointer, touch and arrow keys show each day; screen readers read it
 * as a slider.
 */
import { daysDrawn } from '@patch/contract/sources/release-rhythm.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { type KeyboardEvent, memo, type PointerEvent, useId, useMemo, useState } from 'react';
import { useNow } from '../widgets/ticking-clock.ts';
import { describeStrip, type ReleaseCell, toReleaseCells } from './release-cells.ts';
import styles from './release-strip.module.css';

export function ReleaseStrip({ state }: { readonly state: SourceState }) {
  const now = useNow();
  const cells = useMemo(() => toReleaseCells(state, now), [state, now]);
  const [activeIndex, setActiveIndex] = useState<number>();
  const summary = useId();
  const last = cells.length - 1;
  const shown = activeIndex === undefined ? undefined : Math.min(activeIndex, last);
  const current = cells[shown ?? last];
  if (current === undefined || !isStripDrawn(state)) return null;

  function onKeyDown(event: KeyboardEvent): void {
    const to = moveIndex(event.key, shown ?? last, last);
    if (to === undefined) {
      if (event.key === 'Escape') setActiveIndex(undefined);
      return;
    }
    event.preventDefault();
    setActiveIndex(to);
  }

  function onPointer({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setActiveIndex(
      Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * cells.length))),
    );
  }

  return (
    <div className="relative min-w-0">
      <div
        role="slider"
        tabIndex={0}
        className={`${styles['cells']} relative grid`}
        aria-label={`Publications of ${state.label} by day`}
        aria-describedby={summary}
        aria-valuemin={1}
        aria-valuemax={cells.length}
        aria-valuenow={(shown ?? last) + 1}
        aria-valuetext={current.description}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActiveIndex(last)}
        onBlur={() => setActiveIndex(undefined)}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setActiveIndex(undefined)}
      >
        <Cells cells={cells} />
        {cells.map(({ at: day, isQuarantined }, index) =>
          isQuarantined ? (
            <span
              key={day}
              className={styles['quarantined']}
              style={{ left: toCellCentre(index, cells.length) }}
            />
          ) : null,
        )}
        {shown === undefined ? null : (
          <span
            className={`${styles['tooltip']} rounded text-small`}
            style={{
              left: toCellCentre(shown, cells.length),
              translate: `${(-shown / Math.max(1, last)) * 100}% 0`,
            }}
          >
            {current.description}
          </span>
        )}
      </div>
      <p id={summary} className="visually-hidden">
        {describeStrip(state, cells)}
      </p>
    </div>
  );
}

/** A source without a successful sync, or without dated records, has nothing to draw. */
export const isStripDrawn = (state: SourceState): boolean =>
  state.lastSuccessAt !== null && (state.releases.isDated || state.quarantine.length > 0);

/** Labels for both ends of the strips, shown once above several strips or below one. */
export function StripAxis() {
  return (
    <p className="flex justify-between text-quiet text-small" aria-hidden="true">
      <span>{daysDrawn} days ago</span>
      <span>Today</span>
    </p>
  );
}

/** Memoised, so that pointer moves do not draw the cells again. */
const Cells = memo(function Cells({ cells }: { readonly cells: readonly ReleaseCell[] }) {
  return cells.map(({ at, level, isSilent }) => (
    <span
      key={at}
      className={styles['cell']}
      data-level={level}
      data-silent={isSilent || undefined}
    />
  ));
});

const toCellCentre = (index: number, cells: number) => `${((index + 0.5) / cells) * 100}%`;

/** Returns the index that a key moves to, or undefined for any other key. */
function moveIndex(key: string, from: number, last: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - 7,
    PageUp: from + 7,
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.min(last, Math.max(0, to));
}

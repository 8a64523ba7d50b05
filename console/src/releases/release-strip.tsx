/**
 * The last 90 days of a source's publications, a cell a day: as high and as strong as the day brought much, a line where nothing
 * came, a mark where something waits for a decision. Pointer, finger and arrow keys tell each day; it is read aloud as a slider.
 */
import { daysDrawn } from '@patch/contract/release-rhythm.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { type KeyboardEvent, memo, type PointerEvent, useId, useMemo, useState } from 'react';
import { useNow } from '../widgets/ticking-clock.ts';
import { type ReleaseCell, releaseCells, stripWords } from './release-cells.ts';
import styles from './release-strip.module.css';

export function ReleaseStrip({ state }: { readonly state: SourceState }) {
  const now = useNow();
  const cells = useMemo(() => releaseCells(state, now), [state, now]);
  const [at, setAt] = useState<number>();
  const summary = useId();
  const last = cells.length - 1;
  const shown = at === undefined ? undefined : Math.min(at, last);
  const told = cells[shown ?? last];
  if (told === undefined || !isStripDrawn(state)) return null;

  function onKeyDown(event: KeyboardEvent): void {
    const to = placeAfter(event.key, shown ?? last, last);
    if (to === undefined) {
      if (event.key === 'Escape') setAt(undefined);
      return;
    }
    event.preventDefault();
    setAt(to);
  }

  function onPointer({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * cells.length))));
  }

  return (
    <div className={styles['strip']}>
      <div
        role="slider"
        tabIndex={0}
        className={styles['cells']}
        aria-label={`Publications of ${state.label} by day`}
        aria-describedby={summary}
        aria-valuemin={1}
        aria-valuemax={cells.length}
        aria-valuenow={(shown ?? last) + 1}
        aria-valuetext={told.words}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt(last)}
        onBlur={() => setAt(undefined)}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setAt(undefined)}
      >
        <Cells cells={cells} />
        {cells.map(({ at: day, isQuarantined }, index) =>
          isQuarantined ? (
            <span
              key={day}
              className={styles['quarantined']}
              style={{ left: middleOf(index, cells.length) }}
            />
          ) : null,
        )}
        {shown === undefined ? null : (
          <span
            className={styles['told']}
            style={{
              left: middleOf(shown, cells.length),
              translate: `${(-shown / Math.max(1, last)) * 100}% 0`,
            }}
          >
            {told.words}
          </span>
        )}
      </div>
      <p id={summary} className="visually-hidden">
        {stripWords(state, cells)}
      </p>
    </div>
  );
}

/** A source that was never synced, or whose records have no dates, has nothing to draw. */
export const isStripDrawn = (state: SourceState): boolean =>
  state.lastSuccessAt !== null && (state.releases.isDated || state.quarantine.length > 0);

/** What the ends of strips mean: once over several, or below one. */
export function StripAxis() {
  return (
    <p className={styles['axis']} aria-hidden="true">
      <span>{daysDrawn} days ago</span>
      <span>Today</span>
    </p>
  );
}

/** Not drawn again while the pointer goes over them. */
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

const middleOf = (index: number, cells: number) => `${((index + 0.5) / cells) * 100}%`;

/** Where an arrow key leads; undefined for any other key. */
function placeAfter(key: string, from: number, last: number): number | undefined {
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

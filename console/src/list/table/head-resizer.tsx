/** Draggable edge of a column heading. Reports the width when it is released. */
import { leastColumnWidth } from '@patch/contract/preference-endpoints.ts';
import { type PointerEvent, useState } from 'react';
import styles from './list-table.module.css';

export function HeadResizer({
  width,
  onWidth,
}: {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}) {
  const [from, setFrom] = useState<{ readonly x: number; readonly width: number }>();
  const [at, setAt] = useState(0);
  const widthAt = (x: number) =>
    from === undefined ? width : Math.max(leastColumnWidth, from.width + x - from.x);
  return (
    <span
      aria-hidden
      className={styles['resizer']}
      data-dragging={from !== undefined || undefined}
      style={from === undefined ? {} : { right: `${width - widthAt(at)}px` }}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width });
        setAt(event.clientX);
      }}
      onPointerMove={(event) => from !== undefined && setAt(event.clientX)}
      onPointerUp={(event) => {
        if (from !== undefined && event.clientX !== from.x) onWidth(widthAt(event.clientX));
        setFrom(undefined);
      }}
      onPointerCancel={() => setFrom(undefined)}
    />
  );
}

/**
 * One tip for a whole table: over an element with `data-tip`, and over one with `data-tip-when-cut` when its text does not
 * fit. A tooltip component for each of a thousand cells would take longer to mount than the rows.
 */
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './table-tip.module.css';

interface Shown {
  readonly words: string;
  readonly left: number;
  readonly top: number;
}

const delay = 350;

function wordsOver(target: EventTarget): { readonly words: string; readonly element: HTMLElement } | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip], [data-tip-when-cut]') : null;
  if (element === null) return undefined;
  const { tip, tipWhenCut } = element.dataset;
  const words = tip ?? (element.scrollWidth > element.clientWidth ? tipWhenCut : undefined);
  return words === undefined ? undefined : { words, element };
}

export function useTableTip() {
  const [shown, setShown] = useState<Shown>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  function hide(): void {
    clearTimeout(timer.current);
    setShown(undefined);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const handlers = {
    onPointerOver({ target, pointerType }: PointerEvent): void {
      hide();
      const over = pointerType === 'touch' ? undefined : wordsOver(target);
      if (over === undefined) return;
      timer.current = setTimeout(() => {
        const { left, bottom } = over.element.getBoundingClientRect();
        setShown({ words: over.words, left, top: bottom });
      }, delay);
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onScroll: hide,
  };
  const tip =
    shown === undefined
      ? null
      : createPortal(
          <div role="tooltip" className={styles['tip']} style={{ left: `min(${shown.left}px, 100vw - 360px)`, top: shown.top }}>
            {shown.words}
          </div>,
          document.body,
        );
  return { handlers, tip };
}

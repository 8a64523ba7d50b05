/**
 * Tooltip of the page, for hovered or focused elements with `data-tip`, or with `data-tip-when-cut` when their text is truncated.
 * A tooltip component for each of a thousand cells would take longer to mount than the rows. Screen readers do not need it,
 * because a label or the record says the same.
 */
import { useEffect, useState } from 'react';
import styles from './tooltip-host.module.css';

interface Shown {
  readonly words: string;
  readonly left: number;
  readonly top: number;
}

const delayMs = 350;
const maxWidth = 360;
const gap = 4;

function findTip(
  target: EventTarget | null,
): { readonly words: string; readonly element: HTMLElement } | undefined {
  const element =
    target instanceof Element
      ? target.closest<HTMLElement>('[data-tip], [data-tip-when-cut]')
      : null;
  if (element === null) return undefined;
  const { tip, tipWhenCut } = element.dataset;
  const words = tip ?? (isCut(element) ? tipWhenCut : undefined);
  return words === undefined || words === '' ? undefined : { words, element };
}

/** A font may be a pixel or two taller than its line; a line that is cut off differs by more. */
const overflowTolerance = 4;
const isCut = (element: HTMLElement) =>
  element.scrollWidth > element.clientWidth ||
  element.scrollHeight > element.clientHeight + overflowTolerance;

function placeBeside(element: HTMLElement): Pick<Shown, 'left' | 'top'> {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  if (element.dataset['tipSide'] === 'right') return { left: right + gap, top: top + gap };
  return { left: Math.max(gap, Math.min(left, innerWidth - maxWidth)), top: bottom + gap };
}

/** Mounted once, around everything. */
export function TooltipHost() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const hide = () => {
      clearTimeout(timer);
      setShown(undefined);
    };
    const show = (target: EventTarget | null, after: number) => {
      hide();
      const over = findTip(target);
      if (over === undefined) return;
      timer = setTimeout(
        () =>
          over.element.isConnected && setShown({ words: over.words, ...placeBeside(over.element) }),
        after,
      );
    };
    const onOver = ({ target, pointerType }: PointerEvent) =>
      pointerType === 'touch' ? hide() : show(target, delayMs);
    const onFocus = ({ target }: FocusEvent) =>
      target instanceof Element && target.matches('[data-tip]:focus-visible') && show(target, 0);
    const mounted = new AbortController();
    const { signal } = mounted;
    document.addEventListener('pointerover', onOver, { signal });
    document.addEventListener('focusin', onFocus, { signal });
    document.documentElement.addEventListener('pointerleave', hide, { signal });
    for (const event of ['pointerdown', 'focusout', 'keydown', 'scroll'])
      document.addEventListener(event, hide, { capture: true, signal });
    return () => {
      clearTimeout(timer);
      mounted.abort();
    };
  }, []);
  if (shown === undefined) return null;
  return (
    <div role="tooltip" className={styles['tip']} style={{ left: shown.left, top: shown.top }}>
      {shown.words}
    </div>
  );
}

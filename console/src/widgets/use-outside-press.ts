/** Detects presses outside an open element. The click of such a press has no effect on the page, except on controls. */
import { useEffect, useEffectEvent, useRef } from 'react';

const controls =
  'button, input, select, textarea, label, [role="combobox"], [role="option"], [role="menuitem"], [contenteditable="true"]';

/**
 * Returns a `pointerdown` handler for the open element. Popups of its content that are rendered elsewhere in the page (a
 * calendar, a list of options) bubble through React to it and therefore count as inside.
 */
export function useOutsidePress(
  open: boolean,
  onOutside: (target: EventTarget | null) => void,
): () => void {
  const pressedInside = useRef(false);
  const press = useEffectEvent((event: PointerEvent) => {
    const inside = pressedInside.current;
    pressedInside.current = false;
    if (inside) return;
    suppressClick(event);
    onOutside(event.target);
  });
  useEffect(() => {
    if (!open) return undefined;
    pressedInside.current = false;
    const listener = (event: PointerEvent) => press(event);
    document.addEventListener('pointerdown', listener);
    return () => document.removeEventListener('pointerdown', listener);
  }, [open]);
  return () => {
    pressedInside.current = true;
  };
}

/** Suppresses the click of this press. It ends with the next press, because the click may never come. */
function suppressClick({ target }: PointerEvent): void {
  if (target instanceof Element && target.closest(controls) !== null) return;
  const end = () => {
    document.removeEventListener('click', stop, true);
    document.removeEventListener('pointerdown', end, true);
  };
  const stop = (click: MouseEvent) => {
    // Clicks by keyboard or script do not belong to this press.
    if (click.detail === 0) return;
    end();
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener('click', stop, true);
  document.addEventListener('pointerdown', end, true);
}

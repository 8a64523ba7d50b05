/** Tells of presses outside of something that is open. The click of such a press opens and follows nothing underneath; controls work at once. */
import { useEffect, useEffectEvent, useRef } from 'react';

const controls =
  'button, input, select, textarea, label, [role="combobox"], [role="option"], [role="menuitem"], [contenteditable="true"]';

/**
 * The handler that is answered belongs on the element that is open: what its content opens elsewhere in the page (a calendar, the
 * list of a choice) bubbles through React to it, and is inside.
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
    ignoreClickOf(event);
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

/** Until the next press: the click may come after what was open has gone. */
function ignoreClickOf({ target }: PointerEvent): void {
  if (target instanceof Element && target.closest(controls) !== null) return;
  const end = () => {
    document.removeEventListener('click', stop, true);
    document.removeEventListener('pointerdown', end, true);
  };
  const stop = (click: MouseEvent) => {
    // A click of the keyboard or of a program is not the one of this press.
    if (click.detail === 0) return;
    end();
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener('click', stop, true);
  document.addEventListener('pointerdown', end, true);
}

/**
 * A press that begins on a button or link counts as a click on it, even when the page moves under the pointer before the press
 * ends: content arrives above it, a dialog grows while it opens, a message appears when a field loses the focus. Browsers send
 * such a click to an element around both, and the press would do nothing.
 */

const pressable =
  'button, a[href], label, summary, [role=button], [role=menuitem], [role=option], [role=tab]';
/** A hand trembles by less. A pointer that moves farther leaves the control on purpose. */
const maxMovePx = 5;

interface Press {
  readonly control: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/** @returns A function that stops it. */
export function keepPresses(page: Window = window): () => void {
  let press: Press | undefined;

  function begin({ target, button, isPrimary, clientX, clientY }: PointerEvent): void {
    const control =
      isPrimary && button === 0 && target instanceof Element
        ? target.closest<HTMLElement>(pressable)
        : null;
    press = control === null ? undefined : { control, x: clientX, y: clientY };
  }

  function end(event: MouseEvent): void {
    const began = press;
    // The keyboard and programs click without a press.
    if (began === undefined || event.detail === 0) return;
    press = undefined;
    const { control, x, y } = began;
    const { target, clientX, clientY } = event;
    if (target instanceof Node && control.contains(target)) return;
    if (!control.isConnected || Math.hypot(clientX - x, clientY - y) > maxMovePx) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    control.dispatchEvent(new MouseEvent('click', event));
  }

  const cancel = () => {
    press = undefined;
  };
  page.addEventListener('pointerdown', begin, true);
  page.addEventListener('pointercancel', cancel, true);
  page.addEventListener('click', end, true);
  return () => {
    page.removeEventListener('pointerdown', begin, true);
    page.removeEventListener('pointercancel', cancel, true);
    page.removeEventListener('click', end, true);
  };
}

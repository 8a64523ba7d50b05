/** The focus of the keyboard, where what had it goes and something else comes in its place. */

/** Whether nothing has the focus: what had it is gone, or is only what is `leaving`, with what lies in it and around it. */
export function isFocusLost(leaving: Element | null = null): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return leaving !== null && (leaving.contains(activeElement) || activeElement.contains(leaving));
}

/** A `ref` for what takes the place of what was pressed: it needs `tabIndex={-1}`. */
export const takeFocus = (shown: HTMLElement | null): void => shown?.focus({ preventScroll: true });

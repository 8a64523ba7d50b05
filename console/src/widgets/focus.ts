/** Keyboard focus when the focused element is removed or replaced. */

/** Tells whether no element has the focus, apart from `leaving`, its descendants and its ancestors. */
export function isFocusLost(leaving: Element | null = null): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return leaving !== null && (leaving.contains(activeElement) || activeElement.contains(leaving));
}

/** `ref` of an element that replaces the pressed one. The element needs `tabIndex={-1}`. */
export const takeFocus = (shown: HTMLElement | null): void => shown?.focus({ preventScroll: true });

/** Keys of every page: Ctrl-K, or Command-K on a Mac, opens the command box from anywhere; `?` opens the shortcuts when no field has the focus. */
import { useEffect, useEffectEvent } from 'react';

interface FrameKeys {
  readonly jump: () => void;
  readonly help: () => void;
}

const textFieldSelector =
  'input, textarea, select, dialog, [contenteditable=true], [role=combobox], [role=dialog], [role=menu]';

export function useFrameKeys({ jump, help }: FrameKeys): void {
  const onKeyDown = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    const control = event.ctrlKey || event.metaKey;
    if (event.key.toLowerCase() === 'k' && control && !event.altKey && !event.shiftKey) {
      // Prevents the browser's own search.
      event.preventDefault();
      jump();
    } else if (event.key === '?' && !control && !event.altKey && !event.defaultPrevented) {
      const { target } = event;
      if (target instanceof Element && target.closest(textFieldSelector) !== null) return;
      event.preventDefault();
      help();
    }
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onKeyDown(event);
    // Listens on the window, after the page's keys on the document, because a list has its own help.
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

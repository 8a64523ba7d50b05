/**
 * The keys of every page: Ctrl-K, or the Mac's Command-K, opens the command box wherever the focus is, and `?` the shortcuts
 * where the focus is in no field.
 */
import { useEffect, useEffectEvent } from 'react';

interface FrameKeys {
  readonly jump: () => void;
  readonly help: () => void;
}

const takesLetters =
  'input, textarea, select, dialog, [contenteditable=true], [role=combobox], [role=dialog], [role=menu]';

export function useFrameKeys({ jump, help }: FrameKeys): void {
  const pressed = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    const control = event.ctrlKey || event.metaKey;
    if (event.key.toLowerCase() === 'k' && control && !event.altKey && !event.shiftKey) {
      // Browsers that use it for their own search give way to the page.
      event.preventDefault();
      jump();
    } else if (event.key === '?' && !control && !event.altKey && !event.defaultPrevented) {
      const { target } = event;
      if (target instanceof Element && target.closest(takesLetters) !== null) return;
      event.preventDefault();
      help();
    }
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => pressed(event);
    // After the page's own keys, which are listened for on the document: a list has a help of its own.
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

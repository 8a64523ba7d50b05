/** Ctrl-K, or the Mac's Command-K, wherever the focus is: browsers that use it for their own search give way to the page. */
import { useEffect, useEffectEvent } from 'react';

export function useJumpKey(onJump: () => void): void {
  const jump = useEffectEvent(onJump);
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      jump();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

/** What a browser has and happy-dom lacks, so that components can be mounted in unit tests. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// What is fetched when it is first shown comes from the disk of a machine that does other things too.
configure({ asyncUtilTimeout: 10_000 });

// Testing Library moves faked timers on only where it finds this; without it an awaited click never ends.
Object.assign(globalThis, {
  jest: {
    advanceTimersByTime(milliseconds: number): void {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(milliseconds);
    },
  },
});

// happy-dom takes a place where a word may be broken for a block, so that names would be read with spaces.
const browserStyle = document.createElement('style');
browserStyle.textContent = 'wbr { display: inline }';
document.head.append(browserStyle);

class IdleObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = IdleObserver;
// A reader who wants no motion: nothing here ever ends a transition.
globalThis.matchMedia = (query: string) => ({
  matches: query.includes('prefers-reduced-motion'),
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});

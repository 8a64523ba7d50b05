/** What a browser has and happy-dom lacks, so that components can be mounted in unit tests. */
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

class IdleObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = IdleObserver;
globalThis.matchMedia = (query: string) => ({
  matches: false,
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

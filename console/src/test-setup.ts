/** What a browser has and happy-dom lacks, so that components can be mounted in unit tests. */
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

class IdleObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = IdleObserver as unknown as typeof ResizeObserver;
globalThis.matchMedia = ((query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
})) as typeof matchMedia;

afterEach(() => {
  cleanup();
  localStorage.clear();
});

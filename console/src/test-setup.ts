/** Adds what happy-dom lacks compared with a browser, so that unit tests can mount components. */
import { cleanup, configure } from '@testing-library/react';
import { beforeEach, vi } from 'vitest';
import { signOut } from './api/session.ts';
import { resetApi } from './testing/fake-api.ts';
import { replacePerson } from './testing/person.ts';

// Lazy chunks are read from the disk, which can be slow on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// Testing Library advances fake timers only if it finds `jest`. Without it an awaited click never ends.
Object.assign(globalThis, {
  jest: {
    advanceTimersByTime(milliseconds: number): void {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(milliseconds);
    },
  },
});

// happy-dom treats `wbr` as a block, which would add spaces to accessible names.
const browserStyle = document.createElement('style');
browserStyle.textContent =
  'wbr { display: inline } [class^="ant-"][class*="-hidden"]:not(label) { display: none }';
document.head.replaceChildren(browserStyle);

// Each query by role computes the style of every ancestor, and antd's sheets have thousands of rules.
const sheet = Object.getOwnPropertyDescriptor(HTMLStyleElement.prototype, 'sheet');
if (sheet?.get !== undefined && sheet.get.name !== 'sheetUnlessAntds')
  Object.defineProperty(HTMLStyleElement.prototype, 'sheet', {
    configurable: true,
    get: function sheetUnlessAntds(this: HTMLStyleElement): unknown {
      return this.hasAttribute('data-rc-order') ? null : sheet.get?.call(this);
    },
  });

class IdleObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = IdleObserver;
// Tests prefer reduced motion, because no transition ever ends here.
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

// A worker runs many files in one window with shared modules, so each test starts from the same state.
vi.useRealTimers();
vi.unstubAllGlobals();
vi.restoreAllMocks();
beforeEach(({ onTestFinished }) => {
  replacePerson();
  onTestFinished(() => {
    cleanup();
    signOut();
    localStorage.clear();
    sessionStorage.clear();
    document.body.replaceChildren();
    resetApi();
  });
});

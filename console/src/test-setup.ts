/** What a browser has and happy-dom lacks, so that components can be mounted in unit tests. */
import { cleanup, configure } from '@testing-library/react';
import { beforeEach, vi } from 'vitest';
import { signOut } from './api/session.ts';
import { resetApi } from './testing/fake-api.ts';
import { replacePerson } from './testing/person.ts';

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
browserStyle.textContent =
  'wbr { display: inline } [class^="ant-"][class*="-hidden"] { display: none }';
document.head.replaceChildren(browserStyle);

// Each look-up by role asks for the style of every ancestor, and antd's sheets have thousands of rules to match.
const sheet = Object.getOwnPropertyDescriptor(HTMLStyleElement.prototype, 'sheet');
if (sheet?.get !== undefined && sheet.get.name !== 'sheetUnlessAntds')
  Object.defineProperty(HTMLStyleElement.prototype, 'sheet', {
    configurable: true,
    get: function sheetUnlessAntds(this: HTMLStyleElement): unknown {
      return this.hasAttribute('rc-order') ? null : sheet.get?.call(this);
    },
  });

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

// A worker runs many files in one window with the same modules: each file and each test begins where the first one began.
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

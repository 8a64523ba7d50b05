import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { longSections } from './scripts/long-sections.ts';

const globalSetup = ['./server/testing/databases-for-tests.ts'];

/** Forks, not threads: the product's own code starts threads. */
const inNode = { environment: 'node', pool: 'forks', maxWorkers: 2 } as const;
/** A worker loads the modules once for all its files: loading them for each took a third of the run. */
const inSharedWorkers = { ...inNode, isolate: false } as const;

const long = Object.entries(longSections).map(([section, { include, exclude = [], env = {} }]) => ({
  test: {
    ...inNode,
    name: `long ${section}`,
    include: [...include],
    exclude: ['**/node_modules/**', ...exclude],
    env,
    globalSetup,
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
  },
}));

/** Tests of what happens when a module is loaded for the first time, or before another file has set a time zone. */
const alone = ['src/shell/router-pages.test.tsx', 'src/list/search-bar/search-bar.test.tsx'];

const consoleProject = (name: string, own: object) => ({
  extends: './console/vite.config.ts',
  root: './console',
  test: {
    name,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: [join(import.meta.dirname, 'console', 'src', 'test-setup.ts')],
    testTimeout: 30_000,
    maxWorkers: 2,
    ...own,
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...inSharedWorkers,
          name: 'catalogue',
          include: ['{catalogue,contract}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...inSharedWorkers,
          name: 'server',
          include: ['{server,client,scripts,bench}/**/*.test.ts'],
          globalSetup,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // One worker reads the modules once for all files; test-setup.ts resets what they share.
      consoleProject('console', { isolate: false, exclude: alone }),
      consoleProject('console alone', { include: alone }),
      ...long,
    ],
  },
});

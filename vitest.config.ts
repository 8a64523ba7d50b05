import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server side',
          environment: 'node',
          include: ['{catalogue,contract,server,client,scripts,bench}/**/*.test.ts'],
          globalSetup: ['./server/testing/databases-for-tests.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Forks, not threads: the embedded database and the feed readers start threads of their own.
          pool: 'forks',
          maxWorkers: 2,
        },
      },
      {
        extends: './console/vite.config.ts',
        root: './console',
        test: {
          name: 'console',
          environment: 'happy-dom',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: [join(import.meta.dirname, 'console', 'src', 'test-setup.ts')],
          testTimeout: 30_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});

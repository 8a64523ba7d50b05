import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/chromium.ts';

/** The paths through all layers that every run walks; `WALKS=all npm test -- browser` walks the others too. */
const everyRun = [
  'answers.e2e.ts',
  'administration.e2e.ts',
  'check-a-machine.e2e.ts',
  'command-box.e2e.ts',
  'every-list.e2e.ts',
];

export default defineConfig({
  testDir: './e2e',
  testMatch: process.env['WALKS'] === 'all' ? '**/*.e2e.ts' : everyRun,
  outputDir: '.cache/e2e',
  globalSetup: './e2e/furnish.ts',
  // Each worker has a product of its own, which the walks of its files share and change one after another.
  workers: 2,
  fullyParallel: false,
  // On a shared machine a browser can miss a moment; `run-tests.ts` names what needed a second try.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json']],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Istanbul',
    launchOptions,
  },
});

import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/chromium.ts';

const firstSync = 'first-sync.e2e.ts';

export default defineConfig({
  testDir: './e2e',
  outputDir: '.cache/e2e',
  globalSetup: './e2e/start-product.ts',
  projects: [
    { name: 'first sync', testMatch: firstSync },
    {
      name: 'walks',
      testMatch: '**/*.e2e.ts',
      testIgnore: firstSync,
      dependencies: ['first sync'],
    },
  ],
  // All walks share one product: a walk changes nothing that another one looks at.
  workers: 2,
  fullyParallel: false,
  // On a shared machine a browser can miss a moment; `run-tests.ts` names what needed a second try.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json']],
  use: {
    viewport: { width: 1440, height: 900 },
    // Without a limit, one part that does not appear uses up the time of its test.
    actionTimeout: 60_000,
    locale: 'en-GB',
    timezoneId: 'Europe/Istanbul',
    launchOptions,
  },
});

/** The scripts that a browser fetches for the home list: until the first rows, and until facets and histogram are visible. */
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { chromiumOptions, homeListPath, type Product, sessionKey } from './measured-pages.ts';
import type { ScriptWeight } from './pages-report.ts';

export async function weighScripts({
  url,
  session,
}: Product): Promise<Record<'rows' | 'numbers', ScriptWeight>> {
  const browser = await chromium.launch(chromiumOptions);
  try {
    const context = await browser.newContext();
    await context.addInitScript(([key, kept]) => localStorage.setItem(key, kept), [
      sessionKey,
      session,
    ] as const);
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js'))
        sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
    });
    await page.goto(`${url}${homeListPath}`);
    await page.locator('[data-row]').first().waitFor();
    const rows = await sum(sizes);
    await page.getByRole('slider').waitFor();
    // Not until the network is idle: the stream of sync events never ends.
    await page.waitForTimeout(2000);
    return { rows, numbers: await sum(sizes) };
  } finally {
    await browser.close();
  }
}

async function sum(sizes: readonly Promise<number>[]): Promise<ScriptWeight> {
  const all = await Promise.all(sizes);
  return { kilobytes: all.reduce((total, size) => total + size, 0) / 1000, files: all.length };
}

/** How long a slow machine far away waits for the first rows of the home list, signed in, with an empty cache and a warm server. */
import { type Browser, chromium } from '@playwright/test';
import { median } from './measure.ts';
import { chromiumOptions, homeListPath, type Product, sessionKey } from './measured-pages.ts';
import type { FirstRows } from './pages-report.ts';

/** No limit of bandwidth: what is measured is the number of waits and the work between them. */
export const slowMachine = { cpuSlowdown: 4, latencyMs: 120 };

/** A row that is in the document before a frame is drawn is visible after it. */
const markFirstRows = `{
  const look = () =>
    document.querySelector('[data-row]') === null
      ? requestAnimationFrame(look)
      : setTimeout(() => performance.mark('first rows'));
  requestAnimationFrame(look);
}`;

export async function measureFirstRows(
  { url, session }: Product,
  runs: number,
  say: (line: string) => void,
): Promise<FirstRows> {
  const browser = await chromium.launch(chromiumOptions);
  try {
    // The first one warms the server and the browser's own files, and does not count.
    await onceRowsAreThere(browser, url, session);
    const taken: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      taken.push(await onceRowsAreThere(browser, url, session));
      say(`First rows after ${taken.at(-1)?.toFixed(0)} ms`);
    }
    return { ...slowMachine, milliseconds: median(taken) };
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the start of the navigation to the paint of the first row, by the clock of the page. */
async function onceRowsAreThere(browser: Browser, url: string, session: string): Promise<number> {
  const context = await browser.newContext();
  try {
    await context.addInitScript(([key, kept]) => localStorage.setItem(key, kept), [
      sessionKey,
      session,
    ] as const);
    await context.addInitScript(markFirstRows);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: slowMachine.latencyMs,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowMachine.cpuSlowdown });
    await page.goto(`${url}${homeListPath}`, { waitUntil: 'commit' });
    // Asked seldom: each question takes time of the slowed page.
    const mark = await page.waitForFunction(
      () => performance.getEntriesByName('first rows')[0]?.startTime,
      null,
      { polling: 500, timeout: 60_000 },
    );
    return (await mark.jsonValue()) ?? Number.NaN;
  } finally {
    await context.close();
  }
}

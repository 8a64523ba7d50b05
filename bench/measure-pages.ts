/** `npm run pages`: the median of five Lighthouse runs for login, dashboard, lists, month and record, desktop and mobile: --runs 1 --only login. Lighthouse is not among the packages: `npm install --no-save lighthouse@12.8.2` brings it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startService } from './bench-service.ts';
import { count, exact, machineFacts, table } from './bench-table.ts';
import { percentiles } from './measure-calls.ts';
import { feedMirror } from './sync-section.ts';

interface Lighthouse {
  readonly default: (
    url: string,
    flags: object,
    config?: object,
  ) => Promise<{ readonly lhr: LighthouseResult }>;
  readonly desktopConfig: object;
}
interface LighthouseResult {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string' } },
});
const categories = ['performance', 'accessibility', 'best-practices'];
/** Milliseconds. Signed in, a page never stops loading for Lighthouse: the stream of events of the syncs stays open. */
const maxWaitForLoad = 15_000;
const timings = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'];
const sessionKey = 'patch-repository.session';
const home = '/patch-repository';

// Not known to the compiler: the package is there only while pages are measured.
const packageName = 'lighthouse';
const lighthouse = (await import(packageName).catch(() => null)) as Lighthouse | null;
if (lighthouse === null || !existsSync(feedMirror)) {
  process.stderr.write(
    'Pages need Lighthouse (npm install --no-save lighthouse@12.8.2) and ../shared/feed-mirror.\n',
  );
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'pages-'));
const service = await startService({ DATA_DIR: join(folder, 'data'), FEED_MIRROR: feedMirror });
const port = 9222 + (process.pid % 1000);
const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
});
try {
  const { id, releaseDate } = await newestWindowsRecord();
  const pages = {
    login: '/login',
    dashboard: `${home}/dashboard`,
    list: home,
    'all patches': `${home}/all-patches`,
    month: `${home}/month/${new Date(releaseDate).toISOString().slice(0, 7)}`,
    record: `${home}/record/${id}`,
  };
  const lines: (string | null)[][] = [];
  for (const [name, path] of Object.entries(pages)) {
    if (options.only !== undefined && options.only !== name) continue;
    await useSession(name !== 'login');
    for (const profile of ['desktop', 'mobile'])
      lines.push([`${name}, ${profile}`, ...(await medians(`${service.url}${path}`, profile))]);
  }
  const head = ['performance', 'accessibility', 'best practices', 'first paint, s', 'largest, s'];
  process.stdout.write(`${table(['page', ...head, 'blocked, s'], lines)}\n\n${machineFacts()}\n`);
} finally {
  await context.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

interface WindowsRecord {
  readonly id: number;
  readonly releaseDate: number;
}

/** Syncs the home list's source; returns its newest record. */
async function newestWindowsRecord(): Promise<WindowsRecord> {
  const { client } = service;
  await client.expect(202, 'POST', '/api/windows/patchsync/manual?service=wsus');
  for (let running = true; running; ) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const path = '/api/windows/patchsync/isrunning?service=wsus';
    ({ running } = JSON.parse(await client.expect(200, 'GET', path)) as { running: boolean });
  }
  const path = '/api/windows/kb/search?size=1&sort=-releaseDate';
  const page = JSON.parse(await client.expect(200, 'POST', path, {})) as {
    objList: readonly WindowsRecord[];
  };
  const [newest] = page.objList;
  if (newest === undefined) throw new Error('The sync stored no record');
  return newest;
}

/** Lighthouse empties the cache, not the local storage, where the session is. */
async function useSession(signedIn: boolean): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${service.url}/404`);
  await page.evaluate(
    ([key = '', session = '']) =>
      session === '' ? localStorage.clear() : localStorage.setItem(key, session),
    [sessionKey, signedIn ? service.session : ''],
  );
  await page.close();
}

async function medians(url: string, profile: string): Promise<readonly (string | null)[]> {
  const results: LighthouseResult[] = [];
  for (let run = 0; run < Number(options.runs); run += 1) {
    const flags = { port, output: 'json', onlyCategories: categories, maxWaitForLoad };
    const config = profile === 'desktop' ? lighthouse?.desktopConfig : undefined;
    const result = await lighthouse?.default(url, flags, config);
    if (result !== undefined) results.push(result.lhr);
  }
  const of = (value: (result: LighthouseResult) => number) => percentiles(results.map(value)).p50;
  return [
    ...categories.map((name) => count(of((one) => (one.categories[name]?.score ?? 0) * 100))),
    ...timings.map((name) => exact(of((one) => (one.audits[name]?.numericValue ?? 0) / 1000))),
  ];
}

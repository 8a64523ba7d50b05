/**
 * `npm run pages`: what a browser makes of the pages that are opened first. Lighthouse on its throttled desktop profile, and the JavaScript
 * that the first list loads. Writes docs/pages.md. Lighthouse is large and needed here alone, so that it is not among the packages:
 * `npm install --no-save lighthouse@12.8.2` brings it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { startService } from './bench-service.ts';

interface LighthouseResult {
  readonly lhr: {
    readonly lighthouseVersion: string;
    readonly categories: Readonly<
      Record<string, { readonly title: string; readonly score: number | null }>
    >;
    readonly audits: Readonly<Record<string, { readonly displayValue?: string }>>;
  };
}
type Lighthouse = (
  url: string,
  flags: object,
  config: object,
) => Promise<LighthouseResult | undefined>;

const least = 95;
/** In kB gzip: until the first rows, and until facets and histogram are visible. */
const mostJavaScript = { rows: 220, numbers: 250 };
const pages = [
  { name: 'login', path: '/login', signedIn: false },
  { name: 'home list', path: '/patch-repository', signedIn: true },
  { name: 'dashboard', path: '/patch-repository/dashboard', signedIn: true },
] as const;
const categories = ['performance', 'accessibility', 'best-practices'] as const;
const timings = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
] as const;

const { lighthouse, desktop } = await lighthouseOrEnd();
const mirror = fileURLToPath(new URL('../../shared/feed-mirror', import.meta.url));
const dataDir = await mkdtemp(join(tmpdir(), 'pages-'));
const service = await startService({ DATA_DIR: dataDir, FEED_MIRROR: mirror });
const profile = await mkdtemp(join(tmpdir(), 'pages-profile-'));
try {
  for (const source of ['wsus', 'almaLinux']) await synced(source);
  const port = 9222 + (process.pid % 1000);
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  const page = await browser.newPage();
  const rows: string[] = [];
  let version = '';
  for (const { name, path, signedIn } of pages) {
    await page.goto(`${service.url}/404`);
    await page.evaluate(
      (kept) =>
        kept === null
          ? localStorage.clear()
          : localStorage.setItem('patch-repository.session', kept),
      signedIn ? service.session : null,
    );
    const result = await lighthouse(
      `${service.url}${path}`,
      { port, output: 'json', disableStorageReset: true, onlyCategories: categories },
      desktop,
    );
    if (result === undefined) throw new Error(`Lighthouse answered nothing for ${path}`);
    const { lhr } = result;
    version = lhr.lighthouseVersion;
    const scores = categories.map((category) => scored(lhr.categories[category]?.score ?? 0));
    rows.push(
      `| ${[name, ...scores, ...timings.map((timing) => lhr.audits[timing]?.displayValue ?? '–')].join(' | ')} |`,
    );
  }
  const scripts = await javascriptOfFirstList();
  await browser.close();
  const text = `# Pages

What a browser makes of the pages that are opened first, as \`npm run pages\` measured them on ${new Date().toISOString().slice(0, 10)}: Lighthouse ${version}, throttled desktop profile, ${cpus()[0]?.model ?? 'unknown processor'}, Chromium ${browser.browser()?.version() ?? ''}. Target: ${least} or more in each category.

| page | performance | accessibility | best practices | first paint | largest paint | blocked | layout shift |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

JavaScript of the home list: ${weighed(scripts.rows, mostJavaScript.rows)} until the first rows, ${weighed(scripts.numbers, mostJavaScript.numbers)} until facets and histogram are visible.
`;
  await writeFile(fileURLToPath(new URL('../docs/pages.md', import.meta.url)), text);
  process.stdout.write(text);
} finally {
  await service.stop();
  for (const folder of [dataDir, profile]) await rm(folder, { recursive: true, force: true });
}

function weighed({ kilobytes, files }: Scripts, most: number): string {
  const mark = kilobytes <= most ? '✓' : '✗';
  return `${kilobytes.toFixed(0)} kB gzip in ${files} files (target ${most} kB ${mark})`;
}

function scored(score: number): string {
  const points = Math.round(score * 100);
  return `${points} ${points >= least ? '✓' : '✗'}`;
}

async function synced(source: string): Promise<void> {
  await service.client.ask('POST', `/api/windows/patchsync/manual?service=${source}`);
  for (;;) {
    const { text } = await service.client.ask(
      'GET',
      `/api/windows/patchsync/isrunning?service=${source}`,
    );
    if (!(JSON.parse(text) as { running: boolean }).running) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

interface Scripts {
  readonly kilobytes: number;
  readonly files: number;
}

async function javascriptOfFirstList(): Promise<Record<'rows' | 'numbers', Scripts>> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const context = await browser.newContext();
  await context.addInitScript(
    (kept) => localStorage.setItem('patch-repository.session', kept),
    service.session,
  );
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await page.goto(`${service.url}/patch-repository`);
  await page.locator('[data-row]').first().waitFor();
  const rows = await sum(sizes);
  await page.getByRole('slider').waitFor();
  // Not until the network is idle: the stream of sync events never ends.
  await page.waitForTimeout(2000);
  const numbers = await sum(sizes);
  await browser.close();
  return { rows, numbers };
}

async function sum(sizes: readonly Promise<number>[]): Promise<Scripts> {
  const all = await Promise.all(sizes);
  return { kilobytes: all.reduce((total, size) => total + size, 0) / 1000, files: all.length };
}

async function lighthouseOrEnd(): Promise<{ lighthouse: Lighthouse; desktop: object }> {
  // Not known when this is checked: the package is there only while pages are measured.
  const name = 'lighthouse';
  try {
    const found = (await import(name)) as { default: Lighthouse; desktopConfig: object };
    return { lighthouse: found.default, desktop: found.desktopConfig };
  } catch {
    process.stderr.write('Lighthouse is not installed: npm install --no-save lighthouse@12.8.2\n');
    process.exit(1);
  }
}

/** Lighthouse over the pages on both of its profiles. Each figure is the median of the runs; the cache is empty at each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { median } from './measure.ts';
import { chromiumOptions, type MeasuredPage, type Product, sessionKey } from './measured-pages.ts';
import { categories, type PageAudit, profiles, timings } from './pages-report.ts';

interface LighthouseAudit {
  readonly title: string;
  readonly score: number | null;
  readonly numericValue?: number;
}
interface LighthouseCategory {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}
interface LighthouseResult {
  readonly lhr: {
    readonly lighthouseVersion: string;
    readonly categories: Readonly<Record<string, LighthouseCategory>>;
    readonly audits: Readonly<Record<string, LighthouseAudit>>;
  };
}
type Lighthouse = (
  url: string,
  flags: object,
  config: object | undefined,
) => Promise<LighthouseResult | undefined>;

interface LighthouseTool {
  readonly lighthouse: Lighthouse;
  readonly desktop: object;
}

export async function loadLighthouse(): Promise<LighthouseTool> {
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

interface Audits {
  readonly version: string;
  readonly browser: string;
  readonly audits: readonly PageAudit[];
}

export async function auditPages(
  { lighthouse, desktop }: LighthouseTool,
  product: Product,
  pages: readonly MeasuredPage[],
  runs: number,
  say: (line: string) => void,
): Promise<Audits> {
  const profile = await mkdtemp(join(tmpdir(), 'pages-profile-'));
  const port = 9222 + (process.pid % 1000);
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions,
    args: [...chromiumOptions.args, `--remote-debugging-port=${port}`],
  });
  try {
    const page = await context.newPage();
    const audits: PageAudit[] = [];
    let version = '';
    for (const measured of pages) {
      const url = `${product.url}${measured.path(product)}`;
      await signIn(page, product, measured.signedIn);
      for (const kind of profiles) {
        const results: LighthouseResult[] = [];
        for (let run = 0; run < runs; run += 1) {
          const flags = { port, output: 'json', onlyCategories: categories };
          const result = await lighthouse(url, flags, kind === 'desktop' ? desktop : undefined);
          if (result === undefined) throw new Error(`Lighthouse answered nothing for ${url}`);
          version = result.lhr.lighthouseVersion;
          results.push(result);
        }
        const audit = auditOf(measured.name, kind, results);
        say(`${audit.page}, ${kind}: ${JSON.stringify(audit.scores)} ${audit.failed.join('; ')}`);
        audits.push(audit);
      }
    }
    return { version, browser: context.browser()?.version() ?? '', audits };
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** Lighthouse empties the cache, not the local storage, where the session is. */
async function signIn(page: Page, { url, session }: Product, signedIn: boolean): Promise<void> {
  await page.goto(`${url}/404`);
  await page.evaluate(
    ([key = '', kept]) =>
      kept === undefined ? localStorage.clear() : localStorage.setItem(key, kept),
    signedIn ? [sessionKey, session] : [sessionKey],
  );
  // The measured page alone is open.
  await page.goto('about:blank');
}

function auditOf(
  page: string,
  profile: PageAudit['profile'],
  results: readonly LighthouseResult[],
): PageAudit {
  return {
    page,
    profile,
    scores: categories.map((category) =>
      median(results.map(({ lhr }) => (lhr.categories[category]?.score ?? 0) * 100)),
    ),
    timings: timings.map(({ audit }) =>
      median(results.map(({ lhr }) => lhr.audits[audit]?.numericValue ?? Number.NaN)),
    ),
    failed: [...new Set(results.flatMap(failedIn))],
  };
}

/** Audits of a whole category that cost it points. Performance has scores of its own, which the timings tell. */
function failedIn({ lhr }: LighthouseResult): readonly string[] {
  return categories
    .filter((category) => category !== 'performance')
    .flatMap((category) => lhr.categories[category]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => ({ id, audit: lhr.audits[id] }))
    .filter(({ audit }) => audit !== undefined && audit.score !== null && audit.score < 1)
    .map(({ id, audit }) => `${id} (${audit?.title ?? ''})`);
}

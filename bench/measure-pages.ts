/**
 * `npm run pages`: what a browser makes of the pages that are opened first. Lighthouse on its desktop and its mobile profile, the time
 * until a slow machine shows the first rows, and the scripts that they take. Writes docs/pages.md when every page was measured five times;
 * `--runs 1 --only login` measures less and prints it. Lighthouse is large and needed here alone, so that it is not among the packages:
 * `npm install --no-save lighthouse@12.8.2` brings it.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureFirstRows } from './first-rows.ts';
import { auditPages, loadLighthouse } from './lighthouse-runs.ts';
import { measuredPages, startPages } from './measured-pages.ts';
import { pagesReport } from './pages-report.ts';
import { weighScripts } from './script-weight.ts';

const runsOfReport = 5;

const { values: given } = parseArgs({
  options: {
    runs: { type: 'string', default: String(runsOfReport) },
    only: { type: 'string' },
  },
});
const runs = Number(given.runs);
const chosen = measuredPages.filter(({ name }) => given.only === undefined || name === given.only);
if (!Number.isInteger(runs) || runs < 1 || chosen.length === 0)
  throw new Error(
    `--runs takes a number from 1, --only one of: ${measuredPages.map(({ name }) => name).join(', ')}`,
  );
const say = (line: string) => process.stderr.write(`${line}\n`);

const tool = await loadLighthouse();
const product = await startPages();
try {
  const firstRows = await measureFirstRows(product, runs, say);
  const scripts = await weighScripts(product);
  const { version, audits, browser } = await auditPages(tool, product, chosen, runs, say);
  const text = pagesReport({
    day: new Date().toISOString().slice(0, 10),
    machine: cpus()[0]?.model ?? 'unknown processor',
    browser,
    lighthouse: version,
    runs,
    audits,
    firstRows,
    scripts,
  });
  if (runs === runsOfReport && chosen.length === measuredPages.length)
    await writeFile(fileURLToPath(new URL('../docs/pages.md', import.meta.url)), text);
  process.stdout.write(text);
} finally {
  await product.stop();
}

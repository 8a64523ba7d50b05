/** The text of docs/pages.md: each figure beside its target. */

export const profiles = ['desktop', 'mobile'] as const;
export const categories = ['performance', 'accessibility', 'best-practices'] as const;
export const timings = [
  { audit: 'first-contentful-paint', unit: 's' },
  { audit: 'largest-contentful-paint', unit: 's' },
  { audit: 'total-blocking-time', unit: 'ms' },
  { audit: 'cumulative-layout-shift', unit: '' },
] as const;

/** Points from which a category is well, in the order of `categories`. */
const targets = { desktop: [90, 95, 100], mobile: [75, 95, 100] } as const;
const targetSeconds = 1.5;
/** In kB gzip: until the first rows, and until facets and histogram are visible. */
const maxScripts = {
  rows: { kilobytes: 220, files: 15 },
  numbers: { kilobytes: 250, files: null },
};

export interface PageAudit {
  readonly page: string;
  readonly profile: (typeof profiles)[number];
  /** Points up to 100, in the order of `categories`. */
  readonly scores: readonly number[];
  /** Milliseconds, and the shift as it is; in the order of `timings`. */
  readonly timings: readonly number[];
  /** Audits of accessibility and best practices that cost points in any run. */
  readonly failed: readonly string[];
}

export interface FirstRows {
  readonly cpuSlowdown: number;
  readonly latencyMs: number;
  readonly milliseconds: number;
}

export interface ScriptWeight {
  readonly kilobytes: number;
  readonly files: number;
}

export interface PagesResult {
  readonly day: string;
  readonly machine: string;
  readonly browser: string;
  readonly lighthouse: string;
  readonly runs: number;
  readonly audits: readonly PageAudit[];
  readonly firstRows: FirstRows;
  readonly scripts: Record<'rows' | 'numbers', ScriptWeight>;
}

const mark = (isMet: boolean) => (isMet ? '✓' : '✗');

export function pagesReport(result: PagesResult): string {
  const { day, machine, browser, lighthouse, runs, audits, firstRows, scripts } = result;
  const seconds = firstRows.milliseconds / 1000;
  return `# Pages

What a browser makes of the pages that are opened first, as \`npm run pages\` measured them on ${day}: ${machine}, Chromium ${browser}. Each figure is the median of ${runs} ${runs === 1 ? 'run' : 'runs'}.

## Lighthouse

Lighthouse ${lighthouse} with an empty cache; the record is opened by its own address. “Desktop” and “mobile” are Lighthouse’s profiles with simulated throttling. Targets: performance ${targets.desktop[0]} on desktop and ${targets.mobile[0]} on mobile, accessibility ${targets.desktop[1]}, best practices ${targets.desktop[2]}.

| page | profile | performance | accessibility | best practices | first paint | largest paint | blocked | layout shift |
|---|---|---|---|---|---|---|---|---|
${audits.map(auditLine).join('\n')}
${failures(audits)}
## First rows

The home list, signed in, with an empty cache and a warm server, a processor slowed down ${firstRows.cpuSlowdown} times and ${firstRows.latencyMs} ms of latency for each request, without a limit of bandwidth. From the start of the navigation to the paint of the first row: ${seconds.toFixed(2)} s (target ${targetSeconds} s ${mark(seconds <= targetSeconds)}).

## Scripts of the home list

| until | kB gzip | target | files | target |
|---|---|---|---|---|
| the first rows | ${weightCells(scripts.rows, maxScripts.rows)} |
| facets and histogram are visible | ${weightCells(scripts.numbers, maxScripts.numbers)} |
`;
}

function auditLine({ page, profile, scores, timings: taken }: PageAudit): string {
  const points = scores.map((score, index) => {
    const rounded = Math.round(score);
    return `${rounded} ${mark(rounded >= (targets[profile][index] ?? 100))}`;
  });
  const times = timings.map(({ unit }, index) => timing(taken[index], unit));
  return `| ${[page, profile, ...points, ...times].join(' | ')} |`;
}

function timing(value: number | undefined, unit: 's' | 'ms' | ''): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (unit === 's') return `${(value / 1000).toFixed(1)} s`;
  return unit === 'ms' ? `${Math.round(value)} ms` : String(Number(value.toFixed(3)));
}

function failures(audits: readonly PageAudit[]): string {
  const lines = audits
    .filter(({ failed }) => failed.length > 0)
    .map(({ page, profile, failed }) => `- ${page}, ${profile}: ${failed.join('; ')}`);
  return lines.length === 0 ? '' : `\nAudits that cost points:\n\n${lines.join('\n')}\n`;
}

function weightCells(
  { kilobytes, files }: ScriptWeight,
  most: { readonly kilobytes: number; readonly files: number | null },
): string {
  const filesTarget = most.files === null ? '–' : `${most.files} ${mark(files <= most.files)}`;
  const weightTarget = `${most.kilobytes} ${mark(kilobytes <= most.kilobytes)}`;
  return [kilobytes.toFixed(0), weightTarget, files, filesTarget].join(' | ');
}
